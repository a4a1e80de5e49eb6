// The cost of a change of a job's number of workers.
#pragma once

#include "scheduler/policy/resize_price.h"
#include "scheduler/state/history.h"

namespace slaq::scheduler {

struct ChangeCost {
  Seconds growPause{0};  // the time for which it stands still when it gets workers
  Seconds shrinkPause{0};
  Seconds lost{0};           // seconds of work at the size before
  bool isLostKnown = false;  // else `lost` is the most that a change at this moment would lose
};

// Each part comes from the first source that knows it: the job itself, jobs of its kind, the owner's guess,
// all jobs, the configuration. If no source knows the lost work, the program is taken to make a checkpoint
// after each iteration, as most programs with long iterations do.
ChangeCost changeCostOf(const JobHistory& history, const WorkersSpec& workers, const ResizePrice& configured);

// The lost work, which is learned apart from the pauses. Empty where nothing is known of it.
std::optional<Seconds> lostWorkOf(const JobHistory& history, const RestartSpec& restart);

}  // namespace slaq::scheduler
