// What the experts look at: three levels of the loss for each view (forecast/ensemble/expert.h).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "forecast/ensemble/expert.h"

namespace slaq::forecast {

// The losses of one job: ascending by iteration, finite, LossSeries::kCapacity at most.
struct Observations {
  std::span<const double> iterations;
  std::span<const double> losses;
  double lowest = 0;
  double highest = 0;
  std::optional<double> floor = {};  // the known one, below all losses
  bool floorIsNear = true;           // else the experts that use the likely floor do not use the known one
};

// Of a block the age is the middle between those of its oldest and its newest pair, and the loss is the mean,
// which is not a number where the block is empty.
struct Level {
  double age = 0;   // iterations before the newest loss
  double loss = 0;  // less the newest loss, in units of the range seen
};

using Levels = std::array<Level, 3>;  // newest first
using LevelsByView = std::array<Levels, kViews.size()>;

// REQUIRES: three losses at least, whose range and its inverse are finite.
LevelsByView levelsOf(const Observations& observations);

}  // namespace slaq::forecast
