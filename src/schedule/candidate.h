// A job as the policies see it: how much normalized loss it would lose with so many units of cores. The one
// place where the forecasts of loss (section 4.2.2) and of running time (4.2.1) meet.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/units.h"
#include "forecast/curves/curve.h"
#include "schedule/budget.h"

namespace slaq {

// It gets from `min` to `max` units (schedule/sizes.h); so many cost offset + perUnit * units cores.
struct Candidate {
  double weight = 1;
  std::int32_t min = 1;
  std::int32_t max = 1;
  Cores perUnit{1000};
  Cores offset = {};
  Group group = kNoGroup;
  bool inPlace = false;  // its size changes without a pause
  double growPause = 0;  // seconds that it loses where it gets units, and where it gives some
  double shrinkPause = 0;
  double attained = 0;  // core-seconds that it has used so far

  // The forecast. Jobs that only take part in a fair division leave it as it is.
  Curve curve = {};
  double iteration = 0;                // the one that is likely now
  double normalizer = 1;               // the largest change seen (section 4.1), or the whole range; > 0
  double coreSecondsPerIteration = 1;  // c*S
  double first = 1;                    // the losses at the start and at the end: level 1 and 0
  double final = 0;

  Cores cores(std::int32_t units) const { return offset + perUnit * units; }

  // Normalized loss reduction with so many units over `seconds`, weighted (section 4.3). Concave or not, but
  // never negative.
  double reduction(std::int32_t units, double seconds) const {
    return weight * curve.reduction(iteration, iterations(units, seconds)) / normalizer;
  }

  // How far from its final loss it will be after `seconds`, weighted: from `weight` at the start down to 0.
  double level(std::int32_t units, double seconds) const {
    if (!(first > final)) return 0;
    const double loss = curve.at(iteration + iterations(units, seconds));
    return weight * std::clamp((loss - final) / (first - final), 0.0, 1.0);
  }

  double iterations(std::int32_t units, double seconds) const {
    return inCores(cores(units)) * seconds / coreSecondsPerIteration;
  }
};

// Units for each candidate, in their order.
using Allocation = std::vector<std::int32_t>;

// The candidates as they go into another division of what an allocation leaves: nobody gives anything back.
std::vector<Candidate> beyond(std::span<const Candidate> candidates, const Allocation& allocation);

// The cores of an allocation.
Cores coresOf(std::span<const Candidate> candidates, const Allocation& allocation);
// What is left of a budget beside an allocation, and beside everybody's minimum.
Budget leftBeside(std::span<const Candidate> candidates, const Allocation& allocation, Budget budget);
Budget leftBesideMinimums(std::span<const Candidate> candidates, Budget budget);

}  // namespace slaq
