// How much of a training is left.
#pragma once

#include "scheduler/state/history.h"

namespace slaq::scheduler {

// The training counts as nearly done at this level.
inline constexpr double kDoneLevel = 0.01;

// The iterations from `iteration` until the training is likely to end, by what comes first: what spec.stop
// says, or as many as jobs of its kind did. Where neither is known it is until the forecast is down to
// kDoneLevel; empty where that is not in sight. Above 0. REQUIRES: a forecast.
std::optional<double> remainingIterations(const JobHistory& history, const StopSpec& stop, double iteration);

}  // namespace slaq::scheduler
