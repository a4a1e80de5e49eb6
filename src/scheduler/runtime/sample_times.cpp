#include "scheduler/runtime/sample_times.h"

#include "scheduler/constants.h"

namespace slaq::scheduler {

void SampleTimes::addDelay(Seconds delay) {
  if (delay_.count() == 0) delay_.add(delay);  // so that one is enough for a median
  delay_.add(delay);
}

std::optional<Seconds> SampleTimes::oldest() const {
  const auto apart = spacing();
  return apart ? std::optional(delay() + kSpacings * *apart) : std::nullopt;
}

}  // namespace slaq::scheduler
