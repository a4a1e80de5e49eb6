// The experts' observations: three levels of the loss for each view (forecast/ensemble/expert.h).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "forecast/ensemble/expert.h"

namespace slaq::forecast {

// The losses of one job: ascending by iteration, finite, at most LossSeries::kCapacity.
struct Observations {
  std::span<const double> iterations;
  std::span<const double> losses;
  double lowest = 0;
  double highest = 0;
  std::optional<double> floor = {};  // the known one, below all losses
  bool floorIsNear = true;           // if not, the experts with the likely floor do not use the known one
};

// The age of a block is the middle between those of its oldest and its newest pair. Its loss is the mean, or
// not a number if the block is empty.
struct Level {
  double age = 0;   // iterations before the newest loss
  double loss = 0;  // less the newest loss, in units of the range seen
};

using Levels = std::array<Level, 3>;  // newest first
using LevelsByView = std::array<Levels, kViews.size()>;

// REQUIRES: at least three losses, whose range and its inverse are finite.
LevelsByView levelsOf(const Observations& observations);

}  // namespace slaq::forecast
