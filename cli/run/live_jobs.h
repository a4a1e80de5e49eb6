// The jobs of one run as they are now: what the last epoch decided about each, and what was seen since. The
// screen and other commands show the same.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/jobs/job_rows.h"
#include "cli/run/loss_record.h"
#include "local/cluster/local_cluster.h"
#include "loop/epoch_loop.h"

namespace slaq::cli::run {

// Only the run's thread uses it.
class LiveJobs {
 public:
  // `cluster` outlives this. `keepsLogs` is true where slaq logs can print what the programs write.
  LiveJobs(const local::cluster::LocalCluster& cluster, bool keepsLogs)
      : cluster_(cluster), keepsLogs_(keepsLogs) {}

  // An epoch has decided.
  void decided(const loop::EpochReport& report);
  // Between two epochs: the processes, and the newest loss of each job.
  void seen(const ClusterView& view, const RecordingSource& losses);
  // The job is over since a user wishes so, as `why` says.
  void stop(const JobKey& key, const std::string& why);
  // Stops all jobs that are not over.
  void stopAll(const std::string& why);

  // The jobs whose chief has failed since the last call.
  std::set<JobKey> takeFailing() { return std::exchange(failing_, {}); }

  // The last view of each job that has arrived, with the status as it is now.
  const std::map<JobKey, JobView>& views() const { return views_; }
  bool isStopped(const JobKey& key) const { return stopped_.contains(key); }
  // True if the job has ended, or was stopped.
  bool isOver(const JobKey& key) const;
  jobs::ChiefFailures failuresOf(const JobKey& key) const;
  // Why a failed job failed, and its chief's last output. Empty for other jobs.
  std::string failureOf(const JobKey& key) const;

  // Sorted by the jobs' keys. A job that was deleted after its time to live keeps its last row.
  std::vector<jobs::JobRow> rows() const;
  // The jobs that exist, and those that were stopped, as the API tells of them: Failed, with the reason
  // Stopped. Sorted by key.
  std::vector<std::pair<TrainingJob, JobStatus>> told(Time now) const;

 private:
  void noteFailures(const JobKey& key);

  const local::cluster::LocalCluster& cluster_;
  const bool keepsLogs_;
  std::map<JobKey, JobView> views_;
  std::map<JobKey, scheduler::JobPlan> plans_;
  std::set<JobKey> present_;  // as of the last epoch
  std::map<JobKey, std::string> stopped_;
  std::map<JobKey, std::string> failed_;
  std::map<JobKey, jobs::ChiefFailures> chiefs_;
  std::set<JobKey> failing_;
};

}  // namespace slaq::cli::run
