// The credit of a throttled process: it earns CPU time at the rate of its limit and spends it by running.
#pragma once

#include <algorithm>

#include "base/units.h"

namespace slaq::local::cpu {

class CpuCredit {
 public:
  explicit CpuCredit(Cores limit) : rate_(inCores(limit)) {}

  // Changes the limit. A negative credit stays.
  void limit(Cores limit) { rate_ = inCores(limit); }

  // Adds what was earned in the `passed` time and subtracts the `used` CPU time. True if the process may run.
  // The credit is capped at kMost of earnings, so that no process saves up for a burst; a negative credit is
  // kept, so that the mean equals the limit.
  bool settle(Seconds passed, Seconds used) {
    credit_ = std::min(credit_ + passed * rate_, kMost * rate_) - used;
    return credit_ > Seconds(0);
  }

 private:
  static constexpr Seconds kMost{0.05};

  double rate_;
  Seconds credit_{0};
};

}  // namespace slaq::local::cpu
