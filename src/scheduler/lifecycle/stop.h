// Early stop: the rules that end a job before its trainer says that it is over (spec.stop), and the rule that
// deletes an ended job.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// Reasons of the conditions Complete and Failed where the pods ended the job.
inline constexpr const char* kTrainingOver = "TrainingOver";
inline constexpr const char* kTrainingOverText = "the training is over";  // the message of kTrainingOver
inline constexpr const char* kTrainingFailed = "TrainingFailed";
inline constexpr const char* kUserError = "UserError";  // the program can't work as it is

struct EarlyStop {
  std::string reason;                   // LossReduced, NoImprovement, MaxIterations, DeadlineReached
  std::string message;                  // with the figures
  JobState state = JobState::Complete;  // Failed where it never ran

  bool operator==(const EarlyStop&) const = default;
};

// The rule of spec.stop that the job has met, if any.
std::optional<EarlyStop> earlyStopOf(const JobSnapshot& job, Time now);

// The job ended longer ago than spec.ttlSecondsAfterFinished.
bool hasOutlived(const JobView& view, Time now);

}  // namespace slaq::scheduler
