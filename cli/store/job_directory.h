// The manifests in the directory of `slaq serve`: who writes one adds its jobs, who removes it stops them.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::store {

// A job as a manifest has it.
struct ListedJob {
  TrainingJob job;
  std::string document;  // the TrainingJob object of the manifest, as JSON
  std::filesystem::path file;
  uid_t user = 0;  // that of the file, to whom the job belongs
};

// The amount of a resource that all jobs share.
struct Capacity {
  Cores amount;
  std::string resource = "cpu";  // what it is counted in
};

class JobDirectory {
 public:
  // A file is read once it has been left alone for so long, since nobody can tell a manifest that is half
  // written from a whole one.
  static constexpr std::chrono::milliseconds kSettled{300};

  // A job that needs more than `capacity` is a mistake in its file.
  JobDirectory(std::filesystem::path directory, Capacity capacity)
      : directory_(std::move(directory)), capacity_(std::move(capacity)) {}

  // What an earlier server knew of a job's file, which stays until the file is gone or has been read.
  void remember(ListedJob job);

  // Looks at all files *.yaml and *.yml. Whether anything has changed since the last look. While a file, or
  // the directory, can't be read, what was there before stays.
  bool look();

  const std::map<JobKey, ListedJob>& jobs() const { return jobs_; }
  // What is wrong with a file, by its path; the newest mistakes of each.
  const std::map<std::filesystem::path, std::string>& mistakes() const { return mistakes_; }
  // How many jobs the file of a job has.
  std::size_t countIn(const std::filesystem::path& file) const;

 private:
  struct File {
    timespec changed{};
    ino_t inode = 0;
    off_t size = 0;
    uid_t user = 0;
    std::vector<ListedJob> jobs;  // of the last good version

    bool sameAs(const File& other) const;
  };

  bool lookAt(const std::filesystem::path& path);
  void list();
  bool isThere();

  const std::filesystem::path directory_;
  const Capacity capacity_;
  std::optional<ino_t> inode_;  // of the directory
  bool remembers_ = false;      // something that was not listed yet
  std::map<std::filesystem::path, File> files_;
  std::map<JobKey, ListedJob> jobs_;
  std::map<std::filesystem::path, std::string> mistakes_;
};

// The jobs of a manifest's text, checked for this machine with so much; `file` names it in sentences.
Result<std::vector<ListedJob>> readJobs(const std::string& file, const std::string& text,
                                        const Capacity& capacity);

}  // namespace slaq::cli::store
