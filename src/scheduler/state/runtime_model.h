// How fast a job's iterations go (section 4.2.1): an iteration takes c*S core-seconds, so N cores need
// c*S/N seconds for it. c*S is learned from what was seen: the core-seconds that went by between the ends of
// iterations; best those while the number of cores stood still, where that was for long enough.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "base/units.h"

namespace slaq::scheduler {

class RuntimeModel {
 public:
  // So many cores run the job's iterations from `since` on. REQUIRES: times do not go back.
  void running(Time since, Cores cores);

  // The trainer had completed `iteration` at `time`. A step back in iterations starts a new measurement.
  void sample(Time time, Iterations iteration);

  // c*S in core-seconds for one iteration; empty until one was measured.
  std::optional<double> coreSecondsPerIteration() const { return cost_; }

  // The iteration that the trainer is likely at, with the part of the one under way: extrapolated by c*S, but
  // no further than `most` from the newest sample. Empty until c*S was measured.
  std::optional<Iterations> iterationAt(Time now, Seconds most) const;

 private:
  // An iteration ended when `spent` core-seconds had gone by.
  struct End {
    double iteration = 0;
    double spent = 0;
  };
  static constexpr std::size_t kWindow = 16;

  // So many cores since then, and the core-seconds spent before. Samples that come late ask for earlier ones.
  struct Stretch {
    Time since;
    double spent = 0;
    Cores cores;
  };
  static constexpr std::size_t kOlder = 7;

  const Stretch& stretch(std::size_t n) const { return n == size_ ? newest_ : older_[n % kOlder]; }
  double spentAt(Time time) const;
  void restart(double iteration, double spent);
  void advance(double iteration, double spent);
  void add(const End& end);
  void dropFirst();
  void measure();
  const End& at(std::size_t n) const { return ends_[n % kWindow]; }

  std::optional<Time> sampled_;
  double iteration_ = 0;    // of the newest sample
  double sampledAt_ = 0;    // core-seconds spent then
  double completedAt_ = 0;  // and when `iteration_` was completed, as far as is known
  std::optional<double> cost_;

  std::size_t size_ = 0;  // the number of the newest stretch
  Stretch newest_;
  std::array<Stretch, kOlder> older_{};  // a ring

  std::size_t count_ = 0;            // of ends
  std::size_t steady_ = 0;           // the oldest of them from which on the cores stood still
  std::size_t endedWith_ = 0;        // the stretch of the newest
  std::array<End, kWindow> ends_{};  // a ring
};

}  // namespace slaq::scheduler
