// One run of jobs on this machine under one policy: the scheduler's own loop with processes instead of a
// cluster.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "cli/jobs/job_rows.h"
#include "cli/run/run_board.h"
#include "cli/run/summary.h"
#include "local/cluster/local_cluster.h"
#include "scheduler/state/settings.h"

namespace slaq::cli::run {

struct Experiment {
  std::vector<local::cluster::ArrivingJob> jobs;
  scheduler::Settings settings;
  local::cluster::LocalSettings local;
  std::string logs = {};  // where users find the output of programs, as LiveJobs says it
};

// The functions by which a run reaches its environment.
struct Surroundings {
  const Clock& clock;
  // Sleeps for this time; true if the user asks to stop.
  std::function<bool(Seconds)> wait;
  std::function<void(const jobs::RunSnapshot&)> show;
  // Called with each loss when it is read, and the time since the run began; may be empty.
  std::function<void(const JobKey&, Seconds, const LossSample&)> record = {};
  // Called with each epoch; may be empty.
  std::function<void(const loop::EpochReport&)> tell = {};
  // Shows the jobs to other commands, which may stop them; may be null. It outlives the run.
  RunBoard* board = nullptr;
};

// Runs until every job is over or stopped, or the user stops the run; all processes have ended then.
Result<RunResult> runExperiment(const Experiment& experiment, std::unique_ptr<local::cpu::CpuLimiter> limiter,
                                const Surroundings& surroundings);

}  // namespace slaq::cli::run
