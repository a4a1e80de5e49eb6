#include "loop/timetable.h"

#include <algorithm>
#include <cmath>

namespace slaq {
namespace {

// Shares of the period.
constexpr double kTogether = 1.0 / 30;
constexpr double kLeastBetween = 1.0 / 3;

}  // namespace

Timetable::Timetable(const Settings& settings, Seconds begin)
    : period_(settings.epoch), early_(settings.policy->decidesOnEvents()), phase_(begin) {}

Seconds Timetable::next(std::optional<Seconds> news) const {
  if (!early_ || !news) return regular();
  const Seconds together = *news + kTogether * period_;
  const Seconds rested = last_ ? *last_ + kLeastBetween * period_ : together;
  return std::min(regular(), std::max(together, rested));
}

void Timetable::pass(Seconds begun, Seconds now) {
  last_ = now;
  if (begun >= regular()) ++passed_;
  if (regular() >= now) return;
  phase_ = now;
  passed_ = 0;
}

void Timetable::passOver(Seconds until) {
  passed_ = std::max(passed_, static_cast<std::int64_t>(std::ceil((until - phase_) / period_)));
}

}  // namespace slaq
