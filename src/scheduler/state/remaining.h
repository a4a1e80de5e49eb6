// How much of a training is left.
#pragma once

#include "scheduler/state/history.h"

namespace slaq::scheduler {

// The iterations from `iteration` until the training is likely to end. The end comes by the rules of
// spec.stop or at the usual length of the job's kind, whichever is first. Where neither is known, it comes
// when the forecast is down to kDoneLevel. Empty where that is not in sight. Above 0. REQUIRES: a forecast.
std::optional<double> remainingIterations(const JobHistory& history, const StopSpec& stop, double iteration);

}  // namespace slaq::scheduler
