// How fast a job's iterations go, learned from when they ended and how many cores ran meanwhile. The paper
// has an iteration take c*S/N seconds with N cores (section 4.2.1); here that is what is expected of a job of
// which nothing is known, and what it shows at several sizes takes its place.
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
  // That number of cores runs the job's iterations from `since` on, after the pause that is expected of it,
  // and the work of that long before is expected to be lost; empty: nobody knows. REQUIRES: times do not go
  // back.
  void running(Time since, Cores cores, Seconds pause = Seconds(0), std::optional<Seconds> lost = Seconds(0));

  // The trainer had completed `iteration` at `time`. After a step back in iterations their ends are measured
  // from there; how fast the job was at each size is kept.
  void sample(Time time, Iterations iteration);

  // What other jobs let expect; `unit` is the cores of size 1. Cheap where nothing changed. REQUIRES: unit >
  // 0.
  void expect(const forecast::ExpectedSpeed& expected, Cores unit);

  // What the job showed before this process came, by size in that unit; what it shows from now on soon counts
  // for more. REQUIRES: expect() was called; all finite and above 0.
  void restore(std::span<const forecast::TimedSize> sizes);

  // Iterations a second by cores; empty until something was measured or is expected in seconds. For use while
  // this model lives and is not changed. Sizes beyond twice the largest that was tried are taken to be no
  // faster: a job grows by doubling.
  std::optional<forecast::SpeedCurve> speed() const;
  // The standard deviation of the logarithm of the time of an iteration by that speed; 0 once it was
  // measured.
  double spread() const { return factor_ ? 0 : expected_.spread; }
  // The largest size, in sizes of the unit, of which a speed is believed: twice the largest that was tried,
  // by it or others of its kind; infinite where no size is known to have been.
  double reach() const;
  // The smallest size at which it was measured, or others of its kind; infinite if none was.
  double fewestMeasured() const;
  // For how long after a change to that number of cores nothing is measured.
  Seconds settling(double cores) const;
  // It rests on the job's own iterations.
  bool isMeasured() const { return factor_.has_value(); }

  // The sizes at which it was measured, by size; if it is at none for long enough, what it does now.
  std::vector<forecast::TimedSize> measured() const;
  double unit() const { return unit_; }  // the cores of size 1
  // How many iterations went by between the ends that were seen, at one size each.
  double iterationsSeen() const { return iterationsSeen_; }

  // The iteration that the trainer is likely at, with the part of the one under way: extrapolated by the
  // speed, but no further than `most` from the newest sample. Empty until it was measured.
  std::optional<Iterations> iterationAt(Time now, Seconds most) const;

 private:
  // When an iteration ended.
  struct End {
    double iteration = 0;
    Time time;
    double error = 0.5;  // by which part of an iteration the time may be off
  };
  static constexpr std::size_t kWindow = 16;
  static constexpr Seconds kSettling{10};

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
  std::size_t ended_ = 0;            // ends ever
  std::size_t steady_ = 0;           // the oldest of them from which on the cores stood still
  std::array<End, kWindow> ends_{};  // a ring
  // The stay at one size that is measured: its first end, and what all its ends weigh so far.
  std::optional<End> stayedSince_;
  double stayWeight_ = 0;
  double iterationsSeen_ = 0;
  double tried_ = 0;               // the largest size at which a part of an iteration was done that counts
  double iterationsOfFactor_ = 0;  // that `factor_` rests on

  forecast::ExpectedSpeed expected_;
  double unit_ = 1;               // cores
  std::optional<double> factor_;  // iterations take so many times as long as expected
  forecast::MeasuredSizes measured_;
  std::vector<forecast::SpeedPoint> points_;  // by size; empty as long as it is what is expected, scaled
};

}  // namespace slaq::scheduler
