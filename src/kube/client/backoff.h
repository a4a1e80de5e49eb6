// Growing pauses between tries, with jitter so that many clients do not come back at once.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace slaq::kube::client {

struct Backoff {
  Seconds first{0.8};
  Seconds most{30};

  // The pause after so many failures in a row (1 or more): doubling, then spread by +-25% as `chance`
  // (0..1) says.
  Seconds after(int failures, double chance) const {
    const double doublings = std::clamp(failures - 1, 0, 30);
    return std::min(most, first * std::pow(2.0, doublings)) * (0.75 + 0.5 * chance);
  }
};

}  // namespace slaq::kube::client
