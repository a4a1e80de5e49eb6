// The port Cluster for one machine, with processes instead of pods. Jobs arrive at given times. Their drivers
// and workers are processes with CPU limits, which end with slaq however it ends.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "local/cpu/cpu_limiter.h"
#include "ports/cluster.h"

namespace slaq::local::cluster {

struct ArrivingJob {
  TrainingJob job;
  Seconds after{0};  // from the start of the cluster
};

struct LocalSettings {
  std::optional<std::filesystem::path> logs;  // where the output is kept; else it is removed at the end
  std::filesystem::path programs;             // a directory that is searched before $PATH
  Seconds grace{5};                           // from SIGTERM to SIGKILL
};

// Only one thread may call it, and this thread must not end before the cluster.
class LocalCluster final : public Cluster {
 public:
  // REQUIRES: checkLocal() finds nothing wrong with the jobs, their keys differ, and `clock` outlives this.
  static Result<std::unique_ptr<LocalCluster>> start(std::vector<ArrivingJob> jobs,
                                                     const LocalSettings& settings,
                                                     std::unique_ptr<cpu::CpuLimiter> limiter,
                                                     const Clock& clock);
  // Ends all processes: SIGTERM first, and SIGKILL after the grace.
  ~LocalCluster() override;

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
