#include "scheduler/runtime/growth_times.h"

#include <algorithm>

#include "scheduler/constants.h"

namespace slaq::scheduler {

void GrowthTimes::add(Seconds took, Time now) {
  if (now - last_ > kSlowGrowthsCountFor) newest_ = {};
  newest_.add(took);
  last_ = now;
}

Seconds GrowthTimes::timeout(Time now) const {
  const auto typical = now - last_ > kSlowGrowthsCountFor ? std::nullopt : newest_.median();
  return std::clamp(2 * typical.value_or(Seconds(0)), kShortestResizeTimeout, kLongestResizeTimeout);
}

}  // namespace slaq::scheduler
