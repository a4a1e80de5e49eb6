#include "scoring/candidates.h"

#include <algorithm>

namespace slaq::evaluation {
namespace {

std::array<Expert, kCandidates> allCandidates() {
  std::array<Expert, kCandidates> all;
  std::size_t count = 0;
  all[count++] = {.shape = Shape::Level};
  for (const auto shape : {Shape::Hyperbola, Shape::Power}) {
    for (const auto view : kViews) {
      for (const auto floor : kFloors) all[count++] = {shape, view, floor};
    }
  }
  return all;
}

}  // namespace

const std::array<Expert, kCandidates>& candidates() {
  static const auto all = allCandidates();
  return all;
}

std::vector<ExpertForecast> forecastsOfCandidates(const LevelsByView& levels, const Observations& seen) {
  std::vector<ExpertForecast> forecasts(kCandidates);
  for (std::size_t from = 0; from < kCandidates; from += kExperts) {
    const std::size_t count = std::min(kExperts, kCandidates - from);
    Experts some;
    std::copy_n(candidates().begin() + static_cast<std::ptrdiff_t>(from), count, some.begin());
    const auto found = forecastsOf(some, levels, seen);
    std::copy_n(found.begin(), count, forecasts.begin() + static_cast<std::ptrdiff_t>(from));
  }
  return forecasts;
}

}  // namespace slaq::evaluation
