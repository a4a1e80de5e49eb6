// Lets a burst through, and then as much as a steady rate allows.
#pragma once

#include <algorithm>
#include <optional>

#include "base/units.h"

namespace slaq {

// A plain value; it begins full.
class TokenBucket {
 public:
  // Holds `burst` tokens at most and gains one in each `period`. REQUIRES: both > 0.
  TokenBucket(double burst, Seconds period) : burst_(burst), period_(period), tokens_(burst) {}

  // Takes a token, if there is one. `now` is on any one clock; a step back of it brings no token.
  bool take(Seconds now) {
    const Seconds since = now - filled_.value_or(now);
    tokens_ = std::min(burst_, tokens_ + std::max(0.0, since / period_));
    filled_ = now;
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  double burst_;
  Seconds period_;
  double tokens_;
  std::optional<Seconds> filled_;
};

}  // namespace slaq
