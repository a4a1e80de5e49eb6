// The board between the clients of `slaq serve` and the server. The server's thread publishes the jobs here,
// and clients' requests become changes in the directory of manifests.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <vector>

#include "cli/api/loss_curve.h"
#include "cli/api/served_jobs.h"
#include "cli/store/job_directory.h"

namespace slaq::cli::serve {

class Board final : public api::ServedJobs {
 public:
  // The user who may change a job, and the file that the job is in.
  struct Place {
    std::filesystem::path file;
    std::size_t jobsInFile = 1;
    uid_t user = 0;
  };

  // Manifests are submitted into `directory`; `unfinished` is a directory of the same file system for
  // incomplete files.
  Board(std::filesystem::path directory, std::filesystem::path unfinished, store::Capacity capacity)
      : directory_(std::move(directory)),
        unfinished_(std::move(unfinished)),
        capacity_(std::move(capacity)) {}

  // Publishes the jobs and events that clients see from now on. `places` has every job of `jobs`.
  void put(std::vector<api::ServedJob> jobs, std::vector<api::ServedEvent> events,
           std::map<JobKey, Place> places);

  void noteLoss(const JobKey& job, const std::string& uid, const LossSample& sample) {
    losses_.add(job, uid, sample);
  }

  std::vector<api::ServedJob> jobs() const override;
  std::vector<api::ServedEvent> events() const override;
  std::vector<LossSample> losses(const JobKey& job) const override { return losses_.of(job); }
  Result<JobKey> submit(const api::Peer& by, const std::string& manifest) override;
  Result<void> stop(const api::Peer& by, const JobKey& job) override;

 private:
  Result<void> write(const api::Peer& by, const std::filesystem::path& file,
                     const std::string& manifest) const;
  void addSubmitted();

  // A submitted job that the server has not seen yet.
  struct Submitted {
    api::ServedJob job;
    Place place;
  };

  const std::filesystem::path directory_;
  const std::filesystem::path unfinished_;
  const store::Capacity capacity_;
  api::LossCurves losses_;
  mutable std::mutex mutex_;
  std::vector<api::ServedJob> jobs_;
  std::vector<api::ServedEvent> events_;
  std::map<JobKey, Place> places_;
  std::map<JobKey, Submitted> submitted_;
};

}  // namespace slaq::cli::serve
