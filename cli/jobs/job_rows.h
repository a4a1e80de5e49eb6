// The state of the jobs of `slaq run` at one moment: plain values, made from an epoch's report and drawn by
// pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/status.h"
#include "loop/epoch_loop.h"

namespace slaq::cli::jobs {

// The state of a job that a user stopped before its end, which no cluster has.
inline constexpr const char* kStopped = "Stopped";

struct ChiefFailures {
  int failures = 0;
  std::string last = {};  // how it ended, such as "exit code 1"

  bool operator==(const ChiefFailures&) const = default;
};

struct JobRow {
  JobKey key;
  JobState state = JobState::Pending;
  Workers workers;  // running
  Workers desired;  // decided
  Workers most;     // the most that the job can use
  // The cores of each worker as held, as decided and at most, if the job scales by CPU.
  std::optional<Cores> cpu;
  std::optional<Cores> desiredCpu;
  std::optional<Cores> mostCpu;
  Cores cores;  // held by its processes
  std::optional<Iterations> iteration;
  std::optional<Loss> loss;
  std::optional<double> reduced;        // share of the forecast reduction of the loss, 0..1
  std::string reason;                   // of the last decision
  std::string problem;                  // why its loss is not read, if it should be
  std::vector<std::string> hints = {};  // changes that its owner probably wants to make
  ChiefFailures chief = {};
  std::optional<Cores> awaited;  // cores that must become free before the decided size is reached
  bool isStopped = false;        // a user stopped it before its end

  bool operator==(const JobRow&) const = default;
};

struct RunSnapshot {
  std::string policy;
  Seconds age{0};
  Cores capacity;
  std::size_t toCome = 0;  // number of jobs that have not arrived yet
  std::vector<JobRow> jobs;
};

// The row of a job after a user has stopped it. `why` says how, such as "by slaq stop".
JobRow stopped(JobRow row, const std::string& why);

// True if the job has ended or was stopped.
bool isOver(const JobRow& row);
// A job as commands take it: "mlp", or "team-a/mlp" outside the namespace default.
std::string shortName(const JobKey& key);

// The job's state, or Stopped.
std::string stateText(const JobRow& row);
std::string stateText(const JobStatus& status);

// The changes that the job's owner probably wants to make, a sentence each.
std::vector<std::string> hintsOf(const JobStatus& status);

// The row of a job. The status need not be as old as the decision.
JobRow rowOf(const JobView& view, const scheduler::JobPlan& plan, const JobStatus& status);

// The rows of an epoch's jobs, in their order.
std::vector<JobRow> rowsOf(const loop::EpochReport& report);

}  // namespace slaq::cli::jobs
