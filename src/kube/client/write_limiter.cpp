#include "kube/client/write_limiter.h"

#include <algorithm>
#include <cmath>

namespace slaq::kube::client {
namespace {

constexpr double kSlower = 0.5;
constexpr Seconds kDoublesIn{10};

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
  perSecond_ = std::min(kMostPerSecond, perSecond_ * std::exp2((now - grown_) / kDoublesIn));
  grown_ = now;
  next_ = std::max(now, next_);
  const Seconds wait = next_ - now;
  next_ += Seconds(1 / perSecond_);
  return wait;
}

// The new rate follows the writes that were really sent, which may be far fewer than were allowed.
void WriteLimiter::refused(Seconds now) {
  const std::lock_guard lock(mutex_);
  const double sent = std::max(sent_, sentBefore_);
  if (sent < kLeastPerSecond || now - slowed_ < Seconds(1)) return;
  slowed_ = grown_ = now;
  perSecond_ = std::max(kLeastPerSecond, kSlower * std::min(perSecond_, sent));
}

double WriteLimiter::perSecond() const {
  const std::lock_guard lock(mutex_);
  return perSecond_;
}

}  // namespace slaq::kube::client
