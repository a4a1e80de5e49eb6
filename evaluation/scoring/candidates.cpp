#include "scoring/candidates.h"

#include <algorithm>

namespace slaq::evaluation {
namespace {

std::array<forecast::Expert, kCandidates> allCandidates() {
  std::array<forecast::Expert, kCandidates> all;
  std::size_t count = 0;
  all[count++] = {.shape = forecast::Shape::Level};
  for (const auto shape : {forecast::Shape::Hyperbola, forecast::Shape::Power}) {
    for (const auto view : forecast::kViews) {
      for (const auto floor : forecast::kFloors) all[count++] = {shape, view, floor};
    }
  }
  return all;
}

}  // namespace

const std::array<forecast::Expert, kCandidates>& candidates() {
  static const auto all = allCandidates();
  return all;
}

std::vector<forecast::ExpertForecast> forecastsOfCandidates(const forecast::LevelsByView& levels,
                                                            const forecast::Observations& seen) {
  std::vector<forecast::ExpertForecast> forecasts(kCandidates);
  for (std::size_t from = 0; from < kCandidates; from += forecast::kExperts) {
    const std::size_t count = std::min(forecast::kExperts, kCandidates - from);
    forecast::Experts some;
    std::copy_n(candidates().begin() + static_cast<std::ptrdiff_t>(from), count, some.begin());
    const auto found = forecastsOf(some, levels, seen);
    std::copy_n(found.begin(), count, forecasts.begin() + static_cast<std::ptrdiff_t>(from));
  }
  return forecasts;
}

}  // namespace slaq::evaluation
