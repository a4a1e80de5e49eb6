#include "kube/client/write_limiter.h"

#include <algorithm>

namespace slaq::kube::client {
namespace {

// As in the control of congestion: down by a factor, up by steps. With each write that is taken the rate
// grows by a tenth of a write a second, so that it doubles in seven seconds.
constexpr double kSlower = 0.5;
constexpr double kStep = 0.1;

}  // namespace

Seconds WriteLimiter::take(Seconds now) {
  const std::lock_guard lock(mutex_);
  if (now - second_ >= Seconds(1)) {
    sentBefore_ = now - second_ < Seconds(2) ? sent_ : 0;
    sent_ = 0;
    second_ = now;
  }
  ++sent_;
  if (perSecond_ >= kMostPerSecond) return Seconds(0);
  next_ = std::max(now, next_);
  const Seconds wait = next_ - now;
  next_ += Seconds(1 / perSecond_);
  return wait;
}

void WriteLimiter::taken() {
  const std::lock_guard lock(mutex_);
  perSecond_ = std::min(kMostPerSecond, perSecond_ + kStep);
}

// What counts is what was really sent: that may be far less than what was allowed.
void WriteLimiter::refused(Seconds now) {
  const std::lock_guard lock(mutex_);
  if (now - slowed_ < Seconds(1)) return;
  slowed_ = now;
  const double sent = std::max(sent_, sentBefore_);
  perSecond_ = std::max(kLeastPerSecond, kSlower * std::min(perSecond_, sent));
}

double WriteLimiter::perSecond() const {
  const std::lock_guard lock(mutex_);
  return perSecond_;
}

}  // namespace slaq::kube::client
