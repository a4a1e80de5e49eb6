// One machine as the cluster: the port Cluster with processes in the place of pods. Jobs arrive at given
// times, their drivers and workers are processes held to their CPU limit, and however slaq ends they end
// with it.
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
#include "loop/ports.h"

namespace slaq::local::cluster {

struct ArrivingJob {
  TrainingJob job;
  Seconds after{0};  // from the start of the cluster
};

struct LocalSettings {
  std::optional<std::filesystem::path> logs;  // where the output stays; else it is removed at the end
  std::filesystem::path programs;             // looked into before $PATH
  Seconds grace{5};                           // from SIGTERM to SIGKILL
};

// One thread, which must live on, calls it.
class LocalCluster final : public Cluster {
 public:
  // REQUIRES: checkLocal() finds nothing wrong with the jobs, their keys differ, and `clock` outlives this.
  static Result<std::unique_ptr<LocalCluster>> start(std::vector<ArrivingJob> jobs, LocalSettings settings,
                                                     std::unique_ptr<cpu::CpuLimiter> limiter,
                                                     const Clock& clock);
  // Ends all processes: SIGTERM, after the grace SIGKILL.
  ~LocalCluster() override;

  Result<ClusterView> observe() override;
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

  // Reaps, restarts and ends processes. observe() does it too; calling it more often makes restarts prompt.
  void tend();

  // How the job's chief failed last, with the end of its output; empty if it never did.
  std::string chiefFailure(const JobKey& job) const;
  // The events recorded since the last call.
  std::vector<std::pair<JobKey, Event>> takeEvents();

 private:
  struct Impl;
  explicit LocalCluster(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace slaq::local::cluster
