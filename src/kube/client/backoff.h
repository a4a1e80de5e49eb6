// Growing pauses between retries, with jitter so that many clients do not return at the same moment.
#pragma once

#include <algorithm>
#include <cmath>

#include "base/units.h"

namespace slaq::kube::client {

struct Backoff {
  Seconds first{0.8};
  Seconds most{30};

  // The pause after `failures` failures in a row (at least 1): min(most, first * 2^(failures - 1)), times a
  // factor between 0.75 and 1.25 that grows with `chance` (0..1).
  Seconds after(int failures, double chance) const {
    const double doublings = std::clamp(failures - 1, 0, 30);
    return std::min(most, first * std::pow(2.0, doublings)) * (0.75 + 0.5 * chance);
  }
};

}  // namespace slaq::kube::client
