// The places of files in the directory of `slaq serve`.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::store {

// The file names of a job: "default.train" for files that only slaq reads. Files for people are named
// "train", or "team-a.train" outside of the default namespace. No namespace has a dot.
std::string dottedName(const JobKey& job);
std::string shortName(const JobKey& job);

// The directory of manifests, and the server's own files in it.
struct ServeDirectory {
  explicit ServeDirectory(std::filesystem::path given) : path(std::move(given)) {}

  std::filesystem::path path;

  std::filesystem::path kept() const { return path / ".slaq"; }
  std::filesystem::path logs() const { return kept() / "logs"; }       // and the records of processes
  std::filesystem::path states() const { return kept() / "jobs"; }     // what is known of each job
  std::filesystem::path losses() const { return kept() / "losses"; }   // what each has shown
  std::filesystem::path unfinished() const { return kept() / "new"; }  // manifests that are not whole yet

  // The file with the job and its status, for people.
  std::filesystem::path statusOf(const JobKey& job) const;

  // Removes what an earlier server has left of jobs that are not in `jobs`: losses, output, and files for
  // people.
  void sweep(const std::set<JobKey>& jobs) const;
  // Removes the output of jobs that are not in `jobs`, but for its newest kKeptLogs files.
  static constexpr std::size_t kKeptLogs = 100;
  void sweepLogs(const std::set<JobKey>& jobs) const;

  // Makes all directories, and makes the path absolute. Invalid if that fails, another server has the
  // directory, or other users may write there. Transient if a program that an earlier server began to start
  // hangs.
  Result<void> open();

 private:
  Result<void> lock();

  int lock_ = -1;  // both are held until the process ends
  int launches_ = -1;
};

}  // namespace slaq::cli::store
