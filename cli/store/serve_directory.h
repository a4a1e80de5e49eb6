// Where things are in the directory of `slaq serve`.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::store {

// The names of files of a job: "default.train" where only slaq looks, and for people "train", or outside of
// the default namespace "team-a.train". No namespace has a dot.
std::string dottedName(const JobKey& job);
std::string shortName(const JobKey& job);

// The directory of manifests, and what the server keeps in it.
struct ServeDirectory {
  explicit ServeDirectory(std::filesystem::path given) : path(std::move(given)) {}

  std::filesystem::path path;

  std::filesystem::path kept() const { return path / ".slaq"; }
  std::filesystem::path logs() const { return kept() / "logs"; }       // and the records of processes
  std::filesystem::path states() const { return kept() / "jobs"; }     // what is known of each job
  std::filesystem::path losses() const { return kept() / "losses"; }   // what each has shown
  std::filesystem::path unfinished() const { return kept() / "new"; }  // manifests that are not whole yet

  // The job with its status, for people.
  std::filesystem::path statusOf(const JobKey& job) const;

  // Removes what an earlier server has left of jobs that are not among these: losses, and files for people.
  void sweep(const std::set<JobKey>& jobs) const;

  // Makes all of them, and makes the path absolute. Invalid where that can't be, another server has them, or
  // others may write there. Transient if a program of an earlier server has begun to start and hangs.
  Result<void> open();

 private:
  Result<void> checkOwner() const;
  Result<void> lock();

  int lock_ = -1;  // held until the process ends
};

}  // namespace slaq::cli::store
