// The port Cluster for one machine, with processes instead of pods. Jobs arrive at given times. Their drivers
// and workers are processes with CPU limits, which end with slaq however it ends.
#pragma once

#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "local/cpu/cpu_limiter.h"
#include "local/processes/job_goals.h"
#include "local/processes/process.h"
#include "ports/cluster.h"

namespace slaq::local::cluster {

struct ArrivingJob {
  TrainingJob job;
  Seconds after{0};  // from the start of the cluster
};

// The knowledge about a job that another cluster had when its program ended.
struct LeftJob {
  JobStatus status;
  processes::JobGoals goals;

  bool operator==(const LeftJob&) const = default;
};

struct LocalSettings {
  std::optional<std::filesystem::path> logs;  // where the output is kept; empty: it is removed at the end
  std::filesystem::path programs;             // a directory that is searched before $PATH
  std::vector<std::string> gpus;              // GPUs in which capacity is counted; none: cores
  std::optional<std::string> sharedGpu = {};  // used by all jobs
  Seconds grace{5};                           // from SIGTERM to SIGKILL
  // True: however this program ends, its processes go on, and the next program's cluster with the same logs
  // takes them over. The destructor ends them all the same.
  bool outlived = false;
};

// Only one thread may call it, and this thread must not end before the cluster.
class LocalCluster final : public Cluster {
 public:
  // REQUIRES: checkLocal() finds nothing wrong with the jobs, their keys differ, and `clock` outlives this.
  // Transient if a GPU is to be shared and nvidia-smi gives no figures of it.
  static Result<std::unique_ptr<LocalCluster>> start(std::vector<ArrivingJob> jobs,
                                                     const LocalSettings& settings,
                                                     std::unique_ptr<cpu::CpuLimiter> limiter,
                                                     const Clock& clock);
  // Ends all processes: SIGTERM first, and SIGKILL after the grace.
  ~LocalCluster() override;

  // Adds another job, which has its uid and the time of its creation, and runs as `owner` if there is one. A
  // job that another cluster `left` goes on. REQUIRES: as start(), and no job has its key.
  void add(TrainingJob job, std::shared_ptr<const processes::Owner> owner,
           const std::optional<LeftJob>& left);
  // Ends the job's processes, and removes the job when they have ended. A job that has not arrived yet never
  // does.
  void remove(const JobKey& job);
  // True if no job has this name, and no process of a removed job with this name is left.
  bool isFree(const JobKey& job) const;
  // Gives a job another specification; its templates apply from the next start of a process. False if the job
  // has this specification already. Invalid if it changes the kind of job: with a driver or without, by
  // replicas or CPU.
  Result<bool> change(const JobKey& job, JobSpec spec);
  // The state that another cluster needs to go on.
  std::map<JobKey, LeftJob> leave() const;
  // Sets a function that the cluster calls before an action starts or ends processes of a job, with the state
  // of this job that another cluster needs. So the next program knows every process, however this one ends.
  void rememberBy(std::function<void(const JobKey&, const LeftJob&)> remember);
  // Ends processes that an earlier cluster left and whose jobs do not exist any more.
  void endStrays();

  // For an epoch: it ends a job that failed too often before the next call.
  Result<ClusterView> observe() override;
  // The same view between two epochs.
  ClusterView look();
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

  // Reaps, restarts and ends processes. look() calls it; calling it more often makes restarts prompt.
  void reconcile();

  // How the job's chief failed last, with the end of its output; empty if it never did.
  std::string chiefFailure(const JobKey& job) const;
  // The number of its failures, and the short text of the last one: "exit code 1".
  std::pair<int, std::string> chiefFailures(const JobKey& job) const;
  // The events recorded since the last call.
  std::vector<std::pair<JobKey, Event>> takeEvents();

 private:
  struct Impl;
  explicit LocalCluster(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace slaq::local::cluster
