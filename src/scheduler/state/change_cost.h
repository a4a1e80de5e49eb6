// What a change of its number of workers costs a job.
#pragma once

#include "scheduler/policy/resize_price.h"
#include "scheduler/state/history.h"

namespace slaq::scheduler {

struct ChangeCost {
  Seconds growPause{0};  // for which it stands still when it gets workers
  Seconds shrinkPause{0};
  Seconds lost{0};           // of the work that it did at the size before
  bool isLostKnown = false;  // else it is what a change at this moment would lose at most
};

// As the job has shown it; before, as jobs of its kind did, as its owner guesses, as all jobs did, or as
// configured, the first of these that is known. Where nobody knows what is lost, a program is taken to make a
// checkpoint after each iteration, as most of those do whose iterations are long.
ChangeCost changeCostOf(const JobHistory& history, const WorkersSpec& workers, const ResizePrice& configured);

// The part of it that is learned apart from pauses. Empty where nothing is known of it.
std::optional<Seconds> lostWorkOf(const JobHistory& history, const RestartSpec& restart);

}  // namespace slaq::scheduler
