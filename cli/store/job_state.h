// The state of a job that `slaq serve` needs after a restart, in a JSON file for each job.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/store/job_directory.h"
#include "job/job.h"
#include "local/cluster/local_cluster.h"

namespace slaq::cli::store {

struct JobState {
  std::string uid;
  Time created;
  uid_t user = 0;        // its processes run as this user
  bool expired = false;  // it ended, its time to live has passed, and only its manifest is left
  std::int64_t generation = 1;
  std::filesystem::path file = {};  // the manifest's file,
  std::string manifest = {};  // and the job's object in it as JSON, from the last time that it could be read
  local::cluster::LeftJob left;

  bool operator==(const JobState&) const = default;
};

// The job as an earlier server read it. Empty if it can't be read any more.
std::optional<ListedJob> listedFrom(const JobKey& key, const JobState& state, const std::string& resource);

std::string toJson(const JobState& state);
// Malformed if the text was not written by toJson().
Result<JobState> jobStateFrom(const std::string& json);

class JobStates {
 public:
  explicit JobStates(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // Loads all states. Files that can't be read are left out, with a sentence for each in `mistakes`.
  std::map<JobKey, JobState> load(std::string& mistakes);
  // Writes the states that have changed since they were last written, and removes those of other jobs. The
  // next call tries again what fails. A file is replaced as a whole or not at all.
  Result<void> save(const std::map<JobKey, JobState>& states);
  // Writes one state, if it has changed.
  Result<void> save(const JobKey& key, const JobState& state);

 private:
  std::filesystem::path fileOf(const JobKey& key) const;

  const std::filesystem::path directory_;
  std::map<JobKey, JobState> written_;
};

// Replaces a file as a whole: a reader sees the old text or the new one, and a full disk leaves the old one.
Result<void> replaceFile(const std::filesystem::path& file, std::string_view text);

}  // namespace slaq::cli::store
