// The experts that a table can be made of: the one that expects no change, and all combinations of shape,
// view and floor.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "forecast/ensemble/expert_forecasts.h"

namespace slaq::evaluation {

inline constexpr std::size_t kCandidates = 81;

// The first one is of Shape::Level; then by shape, by view and by floor, as they are declared.
const std::array<forecast::Expert, kCandidates>& candidates();

// Of each candidate, in the same order.
std::vector<forecast::ExpertForecast> forecastsOfCandidates(const forecast::LevelsByView& levels,
                                                            const forecast::Observations& seen);

}  // namespace slaq::evaluation
