// A job as the policies see it: how much normalized loss it would lose with so many workers. The one place
// where the forecasts of loss (section 4.2.2) and of running time (4.2.1) meet.
#pragma once

#include <span>
#include <vector>

#include "base/units.h"
#include "curve/curve.h"

namespace slaq {

struct Candidate {
  double weight = 1;
  std::int32_t min = 1;
  std::int32_t max = 1;
  Cores perWorker{1000};

  // The forecast. Jobs that only take part in a fair division leave it as it is.
  Curve curve;
  double iteration = 0;                // the one that is likely now
  double normalizer = 1;               // the largest change seen (section 4.1), > 0
  double coreSecondsPerIteration = 1;  // c*S

  // Normalized loss reduction with `workers` workers over `seconds`, weighted (section 4.3). Concave or
  // not, but never negative.
  double reduction(std::int32_t workers, double seconds) const {
    const double cores = inCores(perWorker) * workers;
    const double ahead = cores * seconds / coreSecondsPerIteration;
    return weight * curve.reduction(iteration, ahead) / normalizer;
  }
};

// Workers for each candidate, in their order.
using Allocation = std::vector<std::int32_t>;

// The cores of an allocation.
Cores coresOf(std::span<const Candidate> candidates, const Allocation& allocation);
// The cores of all minimums.
Cores minimumsOf(std::span<const Candidate> candidates);

}  // namespace slaq
