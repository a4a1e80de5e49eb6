// With how many cores a job ran when, as far back as that is kept. A plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "base/units.h"
#include "forecast/speed/speed_curve.h"

namespace slaq::scheduler {

// That number of cores since then; no iteration moves before `works`, and the work of so long before it is
// lost.
struct Stretch {
  Time since;
  Time works;
  double cores = 0;
  Seconds lost{0};
  bool isCostKnown = true;  // else it may stand still for longer, or lose more
};

class Stretches {
 public:
  // REQUIRES: times do not go back.
  void add(const Stretch& next) { kept_[count_++ % kMost] = next; }

  bool empty() const { return count_ == 0; }
  // There was one before it.
  bool hasChanged() const { return count_ > 1; }
  // REQUIRES: not empty.
  const Stretch& newest() const { return at(count_ - 1); }
  const Stretch& oldest() const { return at(first()); }

  // The iterations done between two moments, where `speed` says how fast they go by cores. What came before
  // the oldest stretch was done with its cores.
  double workBetween(Time from, Time to, const forecast::SpeedCurve& speed) const;
  // Which part of these was done with how many cores.
  std::map<double, double> sharesBetween(Time from, Time to, const forecast::SpeedCurve& speed) const;
  // The part of the time in which the job may have stood still, or worked in vain.
  double pausedBetween(Time from, Time to) const;

 private:
  static constexpr std::size_t kMost = 32;

  std::size_t first() const { return count_ - std::min(count_, kMost); }
  const Stretch& at(std::size_t n) const { return kept_[n % kMost]; }

  std::size_t count_ = 0;              // ever
  std::array<Stretch, kMost> kept_{};  // a ring
};

}  // namespace slaq::scheduler
