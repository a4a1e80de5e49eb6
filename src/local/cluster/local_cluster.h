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

// What another cluster knew of a job when its program ended.
struct LeftJob {
  JobStatus status;
  processes::JobGoals goals;

  bool operator==(const LeftJob&) const = default;
};

struct LocalSettings {
  std::optional<std::filesystem::path> logs;  // where the output is kept; else it is removed at the end
  std::filesystem::path programs;             // a directory that is searched before $PATH
  std::vector<std::string> gpus;              // what capacity is counted in; none: cores
  std::optional<std::string> sharedGpu = {};  // that all jobs use
  Seconds grace{5};                           // from SIGTERM to SIGKILL
  // However this program ends, processes go on, and the cluster of the next one with the same logs takes them
  // up. Its destructor ends them all the same.
  bool outlived = false;
};

// Only one thread may call it, and this thread must not end before the cluster.
class LocalCluster final : public Cluster {
 public:
  // REQUIRES: checkLocal() finds nothing wrong with the jobs, their keys differ, and `clock` outlives this.
  // Transient where nvidia-smi tells nothing of a GPU that is to be shared.
  static Result<std::unique_ptr<LocalCluster>> start(std::vector<ArrivingJob> jobs,
                                                     const LocalSettings& settings,
                                                     std::unique_ptr<cpu::CpuLimiter> limiter,
                                                     const Clock& clock);
  // Ends all processes: SIGTERM first, and SIGKILL after the grace.
  ~LocalCluster() override;

  // Takes in another job, which has its uid and the time of its creation, and runs as `owner` if there is
  // one; `left` by another cluster, it goes on. REQUIRES: as start(), and there is none of its key.
  void add(TrainingJob job, std::shared_ptr<const processes::Owner> owner,
           const std::optional<LeftJob>& left);
  // Ends its processes, and takes it out when they have ended.
  void remove(const JobKey& job);
  // There is no job of that name, and no process of one that was removed.
  bool isFree(const JobKey& job) const;
  // Gives a job another specification, of which its templates count from the next start of a process. False
  // if it is what the job has. Invalid if it is another kind of job: with a driver or without, by replicas or
  // CPU.
  Result<bool> change(const JobKey& job, JobSpec spec);
  // What another cluster has to know to go on.
  std::map<JobKey, LeftJob> leave() const;
  // Sets a function that the cluster calls before an action starts or ends processes of a job. It gets what
  // another cluster has to know of this job. So the next program knows every process, however this one ends.
  void rememberBy(std::function<void(const JobKey&, const LeftJob&)> remember);
  // Ends processes that an earlier cluster left of jobs that are not there any more.
  void endStrays();

  Result<ClusterView> observe() override;
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

  // Reaps, restarts and ends processes. observe() calls it; calling it more often makes restarts prompt.
  void reconcile();

  // How the job's chief failed last, with the end of its output; empty if it never did.
  std::string chiefFailure(const JobKey& job) const;
  // How often it failed, and only how the last time: "exit code 1".
  std::pair<int, std::string> chiefFailures(const JobKey& job) const;
  // The events recorded since the last call.
  std::vector<std::pair<JobKey, Event>> takeEvents();

 private:
  struct Impl;
  explicit LocalCluster(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace slaq::local::cluster
