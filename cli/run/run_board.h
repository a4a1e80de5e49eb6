// The jobs of a run, for other commands: slaq top, explain, advise and logs show them, and slaq stop ends
// them.
#pragma once

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/api/loss_curve.h"
#include "cli/api/served_documents.h"
#include "cli/api/served_jobs.h"
#include "job/status.h"

namespace slaq::cli::run {

class RunBoard final : public api::ServedJobs {
 public:
  // `manifests` has the TrainingJob of each job as JSON.
  explicit RunBoard(std::map<JobKey, std::string> manifests) : manifests_(std::move(manifests)) {}

  // The rest of the public functions up to takeStops() is for the run's thread.
  // A run of the jobs begins. `logs` is the directory with the output of their programs; it may be empty.
  void begin(std::string logs);
  void noteEvent(const TrainingJob& job, const Event& event, Time time);
  void noteLoss(const JobKey& job, const LossSample& sample) { losses_.add(job, {}, sample); }
  // Publishes the jobs as they are now, sorted by key.
  void put(std::vector<std::pair<TrainingJob, JobStatus>> jobs);
  // The jobs that users asked to stop since the last call.
  std::set<JobKey> takeStops();
  // The run has stopped the job. It remains so in all later runs.
  void noteStopped(const JobKey& job);

  std::vector<api::ServedJob> jobs() const override;
  std::vector<api::ServedEvent> events() const override;
  std::vector<LossSample> losses(const JobKey& job) const override { return losses_.of(job); }
  // Invalid: a run has the jobs of its command line.
  Result<JobKey> submit(const api::Peer& by, const std::string& manifest) override;
  // The run stops the job soon, or never starts it if it has not arrived yet. Only its own user and root may
  // ask. Conflict: the job has ended.
  Result<void> stop(const api::Peer& by, const JobKey& job) override;

 private:
  const std::map<JobKey, std::string> manifests_;
  api::EventLog happened_;  // only the run's thread uses it
  api::LossCurves losses_;
  // All threads use these, under the mutex.
  mutable std::mutex mutex_;
  std::string logs_;
  std::vector<std::pair<TrainingJob, JobStatus>> jobs_;
  std::vector<api::ServedEvent> events_;
  std::set<JobKey> stops_;
  std::set<JobKey> stopped_;  // in this run or an earlier one
  std::set<JobKey> arrived_;  // in this run
};

}  // namespace slaq::cli::run
