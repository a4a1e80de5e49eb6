// Early stop: when a job ends before its trainer says that it is over (spec.stop), and when what is left of
// an ended one goes.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// Reasons of the conditions Complete and Failed where the pods ended the job.
inline constexpr const char* kTrainingOver = "TrainingOver";
inline constexpr const char* kTrainingFailed = "TrainingFailed";

// A forecast of the total reduction counts from this number of losses on, and once this number of forecasts
// in a row agreed.
inline constexpr std::size_t kFewestForStop = 20;
inline constexpr int kAgreeingForStop = 3;

struct EarlyStop {
  std::string reason;                   // LossReduced, NoImprovement, MaxIterations, DeadlineReached
  std::string message;                  // with the figures
  JobState state = JobState::Complete;  // Failed where it never ran

  bool operator==(const EarlyStop&) const = default;
};

// The rule of spec.stop that the job has come to, if any.
std::optional<EarlyStop> earlyStopOf(const JobSnapshot& job, Time now);

// It ended longer ago than spec.ttlSecondsAfterFinished.
bool hasOutlived(const JobView& view, Time now);

}  // namespace slaq::scheduler
