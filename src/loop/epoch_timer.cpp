#include "loop/epoch_timer.h"

#include <algorithm>
#include <cmath>

namespace slaq::loop {
namespace {

// Shares of the period: how long to wait for further events, and the least time from an epoch to an early
// one, unless the host gives one.
constexpr double kEventsTogether = 1.0 / 30;
constexpr double kUsualLeastBetween = 1.0 / 3;

}  // namespace

EpochTimer::EpochTimer(const scheduler::Settings& settings, Seconds begin,
                       std::optional<Seconds> leastBetween)
    : period_(settings.epoch),
      leastBetween_(leastBetween.value_or(kUsualLeastBetween * settings.epoch)),
      early_(settings.policy->decidesOnEvents()),
      phase_(begin) {}

Seconds EpochTimer::next(std::optional<Seconds> event) const {
  if (!early_ || !event) return regular();
  const Seconds together = *event + kEventsTogether * period_;
  const Seconds rested = last_ ? *last_ + leastBetween_ : together;
  return std::min(regular(), std::max(together, rested));
}

void EpochTimer::pass(Seconds begun, Seconds now) {
  last_ = now;
  if (begun >= regular()) ++passed_;
  if (regular() >= now) return;
  phase_ = now;
  passed_ = 0;
}

void EpochTimer::passOver(Seconds until) {
  passed_ = std::max(passed_, static_cast<std::int64_t>(std::ceil((until - phase_) / period_)));
}

}  // namespace slaq::loop
