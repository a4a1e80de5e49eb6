// A job as policies see it: the sizes that it may have, in units of cores, and how far its loss would fall
// with them. The one place where the forecasts of loss (section 4.2.2) and of running time (4.2.1) meet.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/units.h"
#include "forecast/curves/convergence_model.h"
#include "forecast/speed/speed_curve.h"
#include "scheduler/allocation/budget.h"

namespace slaq::scheduler {

// The most units that are allowed and no more than this, `least` at least. An empty list allows all.
std::int32_t atMostAllowed(std::span<const Workers> allowed, std::int32_t least, std::int32_t units);

// What set a bound of a demand, so that decisions can name it.
enum class BoundBy {
  Owner,         // or the job's phase, or the cluster, which are named elsewhere
  Doubt,         // no more than its forecast is trusted with
  Start,         // no less before its first workers run
  LastGrowth,    // no less before its last growth had the time to pay
  ChangesInVain  // no change, since the last ones brought no new iteration
};

// The job gets from `min` to `max` units (scheduler/state/sizes.h); `n` of them cost offset + n * perUnit
// cores.
struct Demand {
  double weight = 1;
  std::int32_t min = 1;
  std::int32_t max = 1;
  BoundBy minBy = BoundBy::Owner;
  BoundBy maxBy = BoundBy::Owner;
  Cores perUnit{1000};
  Cores offset = {};
  // The only units that it can have besides `min` and `max`, rising; empty: all. Somebody else's, who
  // outlives it.
  std::span<const Workers> allowed = {};
  Group group = kNoGroup;
  std::int32_t held = 0;     // the units that it has now; below `min` it does not run
  std::int32_t awaited = 0;  // that were decided last, if others have yet to give the cores back; else 0
  bool inPlace = false;      // its size changes without a pause
  bool starting = false;     // nothing of it has run yet: a growth interrupts nothing
  bool grewLately = false;   // within the horizon of the resize price
  bool shrankLately = false;
  double growPause = 0;  // seconds without any progress where it gets units
  double shrinkPause = 0;
  double lost = 0;       // seconds of the work that it did before, which a change loses
  double horizon = 0;    // seconds within which a change has to pay, where that is longer than for all jobs
  double attained = 0;   // core-seconds that it has used so far
  double startWork = 0;  // core-seconds of CPU time that it still needs before its first iteration

  // The forecast. Jobs that only take part in a fair division leave it as it is.
  forecast::Curve curve = {};
  // Losses above this one count as this one, so that a training that diverged gains nothing by falling back.
  double ceiling = std::numeric_limits<double>::infinity();
  double iteration = 0;   // the one that is likely now
  double normalizer = 1;  // the largest change seen (section 4.1), or the whole range; > 0
  forecast::SpeedCurve speed = {};
  // Equally likely multiples of the time of an iteration, where other jobs alone say how fast it is.
  std::array<double, 3> slowness = {1, 1, 1};
  double first = 1;  // the losses at the start and at the end: level 1 and 0
  double final = 0;
  // Where the end of the training counts and not its loss: iterations until then, > 0.
  std::optional<double> remaining = {};

  Cores cores(std::int32_t units) const { return offset + perUnit * units; }

  // Also `min` and `max`, so that a job may keep a size that is no longer allowed. REQUIRES: from min to max.
  bool allows(std::int32_t units) const;
  // The next larger units that are allowed; empty from `max` on.
  std::optional<std::int32_t> after(std::int32_t units) const;
  // The most that are allowed whatever `max` is, and no more than this; `min` at least.
  std::int32_t atMost(std::int32_t units) const;

  bool runs() const { return held >= min; }
  // What it has, as far as its bounds allow. REQUIRES: runs().
  std::int32_t kept() const { return std::min(held, max); }
  // What the last decision gave it, whether it has come already or not, as far as its bounds allow. REQUIRES:
  // runs().
  std::int32_t decided() const { return std::min(std::max(held, awaited), max); }

  // The weighted, normalized loss reduction over `seconds` with that many units (section 4.3). Concave or
  // not, but never negative. Where the end counts it is the share of what remains.
  double reduction(std::int32_t units, double seconds) const {
    const double ahead = iterations(units, seconds);
    if (remaining) return weight * std::min(1.0, ahead / *remaining) / normalizer;
    return weight * std::max(0.0, lossAt(iteration) - lossAt(iteration + ahead)) / normalizer;
  }

  // The forecast loss as far as it counts.
  double lossAt(double k) const { return std::min(ceiling, curve.at(k)); }

  // How far from its final loss it will be after `seconds`, weighted: from `weight` at the start down to 0.
  double level(std::int32_t units, double seconds) const {
    return weight * forecast::levelOf(curve.at(iteration + iterations(units, seconds)), first, final);
  }

  // What a core-second gains on the mean between two sizes, over `seconds`. REQUIRES: from < to.
  double gainPerCoreSecond(std::int32_t from, std::int32_t to, double seconds) const {
    return (reduction(to, seconds) - reduction(from, seconds)) / (inCores(perUnit * (to - from)) * seconds);
  }

  double iterations(std::int32_t units, double seconds) const {
    return speed.at(inCores(cores(units))) * std::max(0.0, seconds - startTime(units));
  }

  // The seconds until its first iteration begins, with that many units.
  double startTime(std::int32_t units) const {
    return startWork > 0 ? startWork / std::max(inCores(cores(units)), 1e-3) : 0;
  }
};

// Units for each demand, in their order.
using Allocation = std::vector<std::int32_t>;

// The demands with what they were given as their new minimum, for the division of what is left.
std::vector<Demand> demandsAbove(std::span<const Demand> demands, const Allocation& allocation);

// What an allocation leaves of a budget, and what everybody's minimum leaves of it.
Budget leftBy(std::span<const Demand> demands, const Allocation& allocation, Budget budget);
Budget leftByMinimums(std::span<const Demand> demands, Budget budget);

}  // namespace slaq::scheduler
