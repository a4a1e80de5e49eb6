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

// Prints what the programs of the newest run wrote.
inline constexpr const char* kLogsCommand = "slaq logs";

// Only the run's thread uses it.
class LiveJobs {
 public:
  // `cluster` outlives this. `logs` says where the output of a job's program is: kLogsCommand, or the name of
  // a directory; empty if nothing keeps it.
  LiveJobs(const local::cluster::LocalCluster& cluster, std::string logs)
      : cluster_(cluster), logs_(std::move(logs)) {}

  // An epoch has decided.
  void decided(const loop::EpochReport& report);
  // Between two epochs: the processes, and the newest loss of each job.
  void seen(const ClusterView& view, const RecordingSource& losses);
  // A user stops a job that goes on. `why` says how, such as "by slaq stop".
  void stop(const JobKey& key, const std::string& why, Time now);
  // A user stops a job before it arrives, and so it never does.
  void withdraw(const TrainingJob& job, const std::string& why, Time now);
  // Stops all jobs that go on.
  void stopAll(const std::string& why, Time now);
  // The jobs whose chief has failed since the last call.
  std::set<JobKey> takeFailing() { return std::exchange(failing_, {}); }

  // The last view of each job that has arrived, with its status as it is now.
  const std::map<JobKey, JobView>& views() const { return views_; }
  bool isStopped(const JobKey& key) const { return stopped_.contains(key); }
  // True if the job has ended, as an epoch has seen, or was stopped.
  bool isOver(const JobKey& key) const { return over_.contains(key) || isStopped(key); }
  // False once the job has ended or was stopped, even if no epoch has seen it yet.
  bool goesOn(const JobKey& key) const;
  jobs::ChiefFailures failuresOf(const JobKey& key) const;
  // Why a failed job failed, and its chief's last output. Empty for other jobs.
  std::string failureOf(const JobKey& key) const;

  // Sorted by the jobs' keys. A job that was deleted after its time to live keeps its last row, and one that
  // was stopped before it arrived has a row too.
  std::vector<jobs::JobRow> rows() const;
  // The jobs that exist, and those that were stopped, as the API tells of them: Failed, with the reason
  // Stopped. Sorted by key.
  std::vector<std::pair<TrainingJob, JobStatus>> told() const;

 private:
  struct Stop {
    std::string why;
    Time time;
  };

  void noteFailures(const JobKey& key);
  JobStatus statusOfStopped(const JobView& view) const;

  const local::cluster::LocalCluster& cluster_;
  const std::string logs_;
  std::map<JobKey, JobView> views_;
  std::map<JobKey, scheduler::JobPlan> plans_;
  std::set<JobKey> present_;  // as of the last epoch
  std::set<JobKey> over_;
  std::map<JobKey, Stop> stopped_;
  std::map<JobKey, JobView> withdrawn_;
  std::map<JobKey, std::string> failed_;
  std::map<JobKey, jobs::ChiefFailures> chiefs_;
  std::set<JobKey> failing_;
};

}  // namespace slaq::cli::run
