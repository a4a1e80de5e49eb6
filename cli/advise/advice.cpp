#include "cli/advise/advice.h"

#include <algorithm>

namespace slaq::cli::advise {
namespace {

constexpr int kToldPercent = 95;

// Sizes whose speeds differ by less than this share count as equally fast.
constexpr double kSameSpeed = 0.01;

// A size that was not measured counts as the fastest only if it is faster by more than this share.
constexpr double kEstimateMargin = 0.1;

Seconds believed(const SizeSpeed& size) {
  return size.measured ? size.iteration : (1 + kEstimateMargin) * size.iteration;
}

std::size_t fastestOf(const std::vector<SizeSpeed>& speeds) {
  const Seconds least = believed(std::ranges::min(speeds, {}, believed));
  const auto found = std::ranges::find_if(
      speeds, [&](const SizeSpeed& each) { return believed(each) <= (1 + kSameSpeed) * least; });
  return static_cast<std::size_t>(found - speeds.begin());
}

std::optional<std::size_t> toldOf(const std::vector<Milestone>& milestones) {
  if (milestones.empty()) return std::nullopt;
  const auto found = std::ranges::find(milestones, kToldPercent, &Milestone::reductionPercent);
  return found == milestones.end() ? 0 : static_cast<std::size_t>(found - milestones.begin());
}

double coresOf(const Outlook& outlook, const SizeSpeed& speed) {
  return inCores(outlook.perWorker * speed.workers + outlook.driver);
}

}  // namespace

Advice adviceFrom(const Outlook& outlook) {
  Advice advice{.sizes = {}, .fastest = fastestOf(outlook.speeds), .told = toldOf(outlook.milestones)};
  for (const SizeSpeed& speed : outlook.speeds) {
    SizeAdvice& size = advice.sizes.emplace_back(SizeAdvice{.speed = speed, .times = {}});
    for (const Milestone& each : outlook.milestones)
      size.times.push_back(each.left.value() * speed.iteration);
    if (advice.told) size.coreHours = size.times[*advice.told].count() / 3600 * coresOf(outlook, speed);
  }
  const auto timeTimesCost = [&](const SizeAdvice& size) {
    return size.speed.iteration.count() * size.speed.iteration.count() * coresOf(outlook, size.speed);
  };
  const auto end = advice.sizes.begin() + static_cast<std::ptrdiff_t>(advice.fastest) + 1;
  const auto knee = std::ranges::min_element(advice.sizes.begin(), end, {}, timeTimesCost);
  advice.knee = static_cast<std::size_t>(knee - advice.sizes.begin());
  return advice;
}

}  // namespace slaq::cli::advise
