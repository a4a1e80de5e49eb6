// The experts' forecasts. An expert's curve goes through the three levels of its view and continues in its
// shape: for the logarithm z of the loss above the expert's floor, z(h) = z(0) - r(h).
#pragma once

#include <array>

#include "forecast/ensemble/levels.h"

namespace slaq::forecast {

// The expected change from the newest loss to the loss h iterations later is
//   lift - height (1 - exp(-r(h)))
// in units of the range seen. Here r(h) = amount h/(reach + h), or amount log(1 + h/reach) for a power law.
struct ExpertForecast {
  bool isKnown = false;  // if not, the expert cannot forecast these losses and expects no change
  bool isPower = false;
  double lift = 0;  // from the newest loss to the expert's curve
  double height = 0;
  double amount = 0;
  double reach = 1;

  double changeAfter(double iterations) const;
};

using ExpertForecasts = std::array<ExpertForecast, kExperts>;

// REQUIRES: the conditions of levelsOf(), for the same observations.
ExpertForecasts forecastsOf(const Experts& experts, const LevelsByView& levels,
                            const Observations& observations);

}  // namespace slaq::forecast
