// How one job goes into a contest: the sizes it may have this time, its forecast, and how far that is
// trusted.
#pragma once

#include "schedule/candidate.h"
#include "schedule/sizes.h"
#include "schedule/terms.h"

namespace slaq {

// What is known of it before.
struct Entrant {
  std::size_t job;  // index into the snapshot
  const JobPlan& plan;
  Sizes sizes;
  std::int32_t held;  // in units; 0 if it does not run
};

std::int32_t heldUnitsOf(const JobView& view, const Sizes& sizes);

// The bounds within which the job may move hold what its owner and its standing say, and what the cluster can
// do.
Candidate candidateOf(const Entrant& entrant, const Terms& terms);

void setSizes(Candidate& candidate, const Sizes& sizes);

// How far look-ahead relies on a forecast.
struct Trust {
  double share = 1;         // of all cores that it may take beside others that can use them
  bool nearlyDone = false;  // it says that the job has no use for more than its least
};

Trust trustIn(const Candidate& candidate, const Entrant& entrant, const Terms& terms);

}  // namespace slaq
