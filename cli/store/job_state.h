// What `slaq serve` has to know of a job after a restart, in a file of JSON for each job.
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
  uid_t user = 0;        // whose processes they are
  bool expired = false;  // it ended, its time to live is over, and only its manifest is left
  std::int64_t generation = 1;
  std::filesystem::path file = {};  // the manifest's,
  std::string manifest = {};        // and the job's object in it as JSON, as far as it could be read last
  local::cluster::LeftJob left;

  bool operator==(const JobState&) const = default;
};

// The job as an earlier server read it. Nothing where that can't be read any more.
std::optional<ListedJob> listedFrom(const JobKey& key, const JobState& state, const std::string& resource);

std::string toJson(const JobState& state);
// Malformed where it is not what toJson() writes.
Result<JobState> jobStateFrom(const std::string& json);

class JobStates {
 public:
  explicit JobStates(std::filesystem::path directory) : directory_(std::move(directory)) {}

  // All that are there. Files that can't be read are left out, with a sentence for each in `mistakes`.
  std::map<JobKey, JobState> load(std::string& mistakes);
  // Writes those that differ from what was written last, and removes those that are gone. What fails is tried
  // again by the next call; a file is replaced as a whole or not at all.
  Result<void> save(const std::map<JobKey, JobState>& states);
  // Writes one, if it differs.
  Result<void> save(const JobKey& key, const JobState& state);

 private:
  std::filesystem::path fileOf(const JobKey& key) const;

  const std::filesystem::path directory_;
  std::map<JobKey, JobState> written_;
};

// Replaces a file as a whole: a reader sees the old text or the new one, and a full disk leaves the old one.
Result<void> replaceFile(const std::filesystem::path& file, std::string_view text);

}  // namespace slaq::cli::store
