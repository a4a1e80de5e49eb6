// The speed of a job's iterations, learned from the times at which they ended and the cores that ran
// meanwhile. In the paper an iteration takes c*S/N seconds with N cores (section 4.2.1). Here that is only
// the expectation for a job of which nothing is known; its measurements at several sizes replace it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "forecast/speed/measured_sizes.h"
#include "forecast/speed/speed_population.h"
#include "scheduler/runtime/stretches.h"

namespace slaq::scheduler {

class RuntimeModel {
 public:
  // The job's iterations run with that number of cores from `since` on, after the expected `pause`. The last
  // `lost` seconds of work before that are expected to be lost; empty: not known. REQUIRES: times do not go
  // back.
  void running(Time since, Cores cores, Seconds pause = Seconds(0), std::optional<Seconds> lost = Seconds(0));

  // The trainer had completed `iteration` at `time`. After a step back in iterations, their ends are measured
  // from there; the job's speed at each size is kept.
  void sample(Time time, Iterations iteration);

  // Sets the speed that is expected from other jobs' results; `unit` is the cores of size 1. Cheap where
  // nothing changed. REQUIRES: unit > 0.
  void expect(const forecast::ExpectedSpeed& expected, Cores unit);

  // Restores the speeds that the job showed before this process started, by size in that unit. New
  // measurements soon count for more. REQUIRES: expect() was called; all finite and above 0.
  void restore(std::span<const forecast::TimedSize> sizes);

  // The iterations a second by cores; empty until a speed was measured or is expected in seconds. It is valid
  // while this model lives and is not changed. Sizes beyond twice the largest that was tried count as no
  // faster: a job grows by doubling.
  std::optional<forecast::SpeedCurve> speed() const;
  // The standard deviation of the logarithm of an iteration's time at that speed; 0 once the job was
  // measured.
  double spread() const { return factor_ ? 0 : expected_.spread; }
  // The largest size, in sizes of the unit, whose speed is believed: twice the largest that the job or others
  // of its kind tried. Infinite where no size is known to have been tried.
  double reach() const;
  // The smallest size at which the job or others of its kind were measured; infinite if there is none.
  double fewestMeasured() const;
  // The time after a change to that number of cores in which nothing is measured.
  Seconds settling(double cores) const;
  // True if the speed rests on the job's own iterations.
  bool isMeasured() const { return factor_.has_value(); }

  // The sizes at which the job was measured, by size. If it stayed at none for long enough, its current size
  // and speed.
  std::vector<forecast::TimedSize> measured() const;
  double unit() const { return unit_; }  // the cores of size 1
  // The number of iterations that were measured at one size each.
  double iterationsSeen() const { return iterationsSeen_; }

  // The iteration that the trainer is likely at, with the done part of the one under way. It is extrapolated
  // by the speed, but no further than `most` from the newest sample. Empty until the job was measured.
  std::optional<Iterations> iterationAt(Time now, Seconds most) const;

 private:
  // The end of an iteration.
  struct End {
    double iteration = 0;
    Time time;
    double error = 0.5;  // the part of an iteration by which the time may be off
  };
  static constexpr std::size_t kWindow = 16;

  const End& end(std::size_t n) const { return ends_[n % kWindow]; }
  const Stretch& newest() const { return stretches_.newest(); }

  void restart(Time time, double iteration);
  void advance(Time time, double iteration);
  void measureSizes(const End& before, const End& after, Seconds sampled);
  void measureStay(const End& before, const End& after);
  bool isLateStandstill(const End& before, const End& after) const;
  void measureMixture(const End& before, const End& after);
  std::map<double, double> sharesOf(const End& before, const End& after) const;
  void measureFactor();
  void estimate();
  void forgetSizes();
  forecast::SpeedCurve bySize() const;
  forecast::SpeedCurve byCores() const { return bySize().inUnitsOf(unit_); }
  double sizeOf(double cores) const { return cores / unit_; }

  std::optional<Time> sampled_;
  double iteration_ = 0;  // of the newest sample
  double position_ = 0;   // the same, with the part of the one under way

  Stretches stretches_;
  std::size_t ended_ = 0;            // the number of ends so far
  std::size_t steady_ = 0;           // the oldest end since which the cores have not changed
  std::array<End, kWindow> ends_{};  // a ring
  // The stay at one size that is being measured: its first end, and the weight of all its ends so far.
  std::optional<End> stayedSince_;
  double stayWeight_ = 0;
  double iterationsSeen_ = 0;
  double tried_ = 0;               // the largest size that did a considerable part of an iteration
  double iterationsOfFactor_ = 0;  // the iterations that `factor_` rests on

  forecast::ExpectedSpeed expected_;
  double unit_ = 1;               // cores
  std::optional<double> factor_;  // the measured time of an iteration over the expected one
  forecast::MeasuredSizes measured_;
  std::vector<forecast::SpeedPoint> points_;  // by size; empty as long as the scaled expectation is used
};

}  // namespace slaq::scheduler
