// The stretches of a job's run, each with its number of cores, as far back as they are kept. A plain value.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "base/units.h"
#include "forecast/speed/speed_curve.h"

namespace slaq::scheduler {

// The job has had this number of cores since `since`. No iteration moves before `works`, and the last `lost`
// seconds of the work before `since` are lost.
struct Stretch {
  Time since;
  Time works;
  double cores = 0;
  Seconds lost{0};
  bool isCostKnown = true;  // else the job may stand still for longer, or lose more
};

class Stretches {
 public:
  // REQUIRES: times do not go back.
  void add(const Stretch& next) { kept_[count_++ % kMost] = next; }

  bool empty() const { return count_ == 0; }
  // True if there was a stretch before the newest one.
  bool hasChanged() const { return count_ > 1; }
  // REQUIRES: not empty.
  const Stretch& newest() const { return at(count_ - 1); }
  const Stretch& oldest() const { return at(first()); }

  // The iterations done between two moments, where `speed` gives their speed by cores. Time before the oldest
  // stretch counts with that stretch's cores.
  double workBetween(Time from, Time to, const forecast::SpeedCurve& speed) const;
  // The part of these iterations that each number of cores did.
  std::map<double, double> sharesBetween(Time from, Time to, const forecast::SpeedCurve& speed) const;
  // The part of the time in which the job may have stood still, or worked in vain.
  double pausedBetween(Time from, Time to) const;

 private:
  static constexpr std::size_t kMost = 32;

  std::size_t first() const { return count_ - std::min(count_, kMost); }
  const Stretch& at(std::size_t n) const { return kept_[n % kMost]; }

  std::size_t count_ = 0;              // added so far
  std::array<Stretch, kMost> kept_{};  // a ring
};

}  // namespace slaq::scheduler
