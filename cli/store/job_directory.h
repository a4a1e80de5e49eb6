// The manifests in the directory of `slaq serve`: a user adds jobs by writing one, and stops them by removing
// it.
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

// A job of a manifest.
struct ListedJob {
  TrainingJob job;
  std::string document;  // the TrainingJob object of the manifest, as JSON
  std::filesystem::path file;
  uid_t user = 0;  // the user of the file, who owns the job
};

// The amount of a resource that all jobs share.
struct Capacity {
  Cores amount;
  std::string resource = "cpu";  // the name of the resource
};

class JobDirectory {
 public:
  // A file is read when it has not changed for this time, since a manifest that is still being written can't
  // be told from a complete one.
  static constexpr std::chrono::milliseconds kSettled{300};

  // A job that needs more than `capacity` is a mistake in its file.
  JobDirectory(std::filesystem::path directory, Capacity capacity)
      : directory_(std::move(directory)), capacity_(std::move(capacity)) {}

  // Adds an earlier server's knowledge of a job's file, which stays until the file is gone or has been read.
  void remember(ListedJob job);

  // Looks at all files *.yaml and *.yml. Returns true if the jobs have changed since the last look. While a
  // file, or the directory, can't be read, its earlier jobs stay.
  bool look();

  const std::map<JobKey, ListedJob>& jobs() const { return jobs_; }
  // The newest mistakes of each file, by its path.
  const std::map<std::filesystem::path, std::string>& mistakes() const { return mistakes_; }
  // The number of jobs in a job's file.
  std::size_t countIn(const std::filesystem::path& file) const;

 private:
  struct File {
    timespec changed{};
    ino_t inode = 0;
    off_t size = 0;
    uid_t user = 0;
    std::vector<ListedJob> jobs;  // of the last version without mistakes

    bool sameAs(const File& other) const;
  };

  bool lookAt(const std::filesystem::path& path);
  void list();
  bool isThere();

  const std::filesystem::path directory_;
  const Capacity capacity_;
  std::optional<ino_t> inode_;  // of the directory
  bool remembers_ = false;      // remember() has added jobs that are not listed yet
  std::map<std::filesystem::path, File> files_;
  std::map<JobKey, ListedJob> jobs_;
  std::map<std::filesystem::path, std::string> mistakes_;
};

// The jobs of a manifest's text, checked for this machine with this capacity; `file` is its name in messages.
Result<std::vector<ListedJob>> readJobs(const std::string& file, const std::string& text,
                                        const Capacity& capacity);

}  // namespace slaq::cli::store
