// The arithmetic of a throttle: a process earns CPU time at the rate of its limit and spends it by running.
#pragma once

#include <algorithm>

#include "base/units.h"

namespace slaq::local::cpu {

class CpuCredit {
 public:
  explicit CpuCredit(Cores limit) : rate_(inCores(limit)) {}

  // Another limit from now on. What was overdrawn stays so.
  void limit(Cores limit) { rate_ = inCores(limit); }

  // Time has passed and CPU time was used meanwhile. True if the process may run on. What is not used is
  // lost beyond kMost: nobody saves up for a burst. What was overdrawn is kept, so the mean is the limit.
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
