#include "scheduler/runtime/growth_times.h"

#include <algorithm>

namespace slaq::scheduler {
namespace {

// A slow growth longer ago than this says nothing about now.
constexpr Seconds kOfLate{120};

}  // namespace

void GrowthTimes::add(Seconds took, Time now) {
  if (now - last_ > kOfLate) newest_ = {};
  newest_.add(took);
  last_ = now;
}

Seconds GrowthTimes::timeout(Time now) const {
  const auto typical = now - last_ > kOfLate ? std::nullopt : newest_.median();
  return std::clamp(2 * typical.value_or(Seconds(0)), kShortestResizeTimeout, kLongestResizeTimeout);
}

}  // namespace slaq::scheduler
