// A job as policies see it: the sizes that it may have, in units of cores, and how far its loss would fall at
// each size. Only here do the forecasts of loss (section 4.2.2) and of running time (4.2.1) meet.
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

// The largest allowed number that is at most `units`, but at least `least`. An empty list allows all numbers.
std::int32_t atMostAllowed(std::span<const Workers> allowed, std::int32_t least, std::int32_t units);

// The rule that set a bound of a demand. The reasons of decisions name it.
enum class BoundBy {
  Owner,      // or the job's phase, or the cluster; other code names these
  Doubt,      // at most what its forecast is trusted with
  Start,      // at least what it holds, until its first workers run
  LastGrowth  // at least what it holds, until its last growth had time to pay
};

// The job gets `min` to `max` units (scheduler/state/sizes.h). n units cost offset + n * perUnit cores.
struct Demand {
  double weight = 1;
  std::int32_t min = 1;
  std::int32_t max = 1;
  BoundBy minBy = BoundBy::Owner;
  BoundBy maxBy = BoundBy::Owner;
  Cores perUnit{1000};
  Cores offset = {};
  // The only units that it can have besides `min` and `max`, rising; empty: all. The demand does not own
  // them, and they outlive it.
  std::span<const Workers> allowed = {};
  Group group = kNoGroup;
  std::int32_t held = 0;     // the units that it has now; below `min` it does not run
  std::int32_t awaited = 0;  // given by the last decision, if others have yet to give the cores back; else 0
  bool inPlace = false;      // its size changes without a pause
  bool starting = false;     // nothing of it has run yet: a growth interrupts nothing
  bool grewLately = false;   // it grew within the horizon of the resize price
  bool shrankLately = false;
  double growPause = 0;  // seconds without any progress after it gets units
  double shrinkPause = 0;
  double lost = 0;       // seconds of its work at the size before, which a change loses
  double horizon = 0;    // seconds within which a change has to pay, if longer than for all jobs
  double attained = 0;   // core-seconds that it has used so far
  double startWork = 0;  // core-seconds of CPU time that it still needs before its first iteration

  // The forecast. Jobs that only take part in a fair division keep these defaults.
  forecast::Curve curve = {};
  // Losses above this one count as this one. So a training that diverged gains nothing by falling back to it.
  double ceiling = std::numeric_limits<double>::infinity();
  double iteration = 0;   // the likely current iteration
  double normalizer = 1;  // the largest change seen (section 4.1), or the whole range; > 0
  forecast::SpeedCurve speed = {};
  // Equally likely multiples of the time of an iteration, for a job whose speed only other jobs have shown.
  std::array<double, 3> slowness = {1, 1, 1};
  double first = 1;  // the losses at the start and at the end, levels 1 and 0
  double final = 0;
  // The iterations until the end of the training, > 0; set where this end counts instead of the loss.
  std::optional<double> remaining = {};

  Cores cores(std::int32_t units) const { return offset + perUnit * units; }

  // True also for `min` and `max`, so that a job may keep a size that is no longer allowed. REQUIRES: from
  // min to max.
  bool allows(std::int32_t units) const;
  // The next larger number of units that is allowed; empty from `max` on.
  std::optional<std::int32_t> after(std::int32_t units) const;
  // The largest allowed number that is at most `units`, whatever `max` is; at least `min`.
  std::int32_t atMost(std::int32_t units) const;

  bool runs() const { return held >= min; }
  // The units that it has, at most `max`. REQUIRES: runs().
  std::int32_t kept() const { return std::min(held, max); }
  // The units that the last decision gave it, at most `max`, whether or not their cores have come already.
  // REQUIRES: runs().
  std::int32_t decided() const { return std::min(std::max(held, awaited), max); }

  // The weighted, normalized loss reduction over `seconds` with that number of units (section 4.3). It need
  // not be concave, but is never negative. Where the end counts, it is the share of the remaining iterations.
  double reduction(std::int32_t units, double seconds) const {
    const double ahead = iterations(units, seconds);
    if (remaining) return weight * std::min(1.0, ahead / *remaining) / normalizer;
    return weight * std::max(0.0, lossAt(iteration) - lossAt(iteration + ahead)) / normalizer;
  }

  // The forecast loss, at most `ceiling`.
  double lossAt(double k) const { return std::min(ceiling, curve.at(k)); }

  // The level after `seconds`, times the weight: from `weight` at the start down to 0.
  double level(std::int32_t units, double seconds) const {
    return weight * forecast::levelOf(curve.at(iteration + iterations(units, seconds)), first, final);
  }

  // The mean gain of a core-second between two sizes, over `seconds`. REQUIRES: from < to.
  double gainPerCoreSecond(std::int32_t from, std::int32_t to, double seconds) const {
    return (reduction(to, seconds) - reduction(from, seconds)) / (inCores(perUnit * (to - from)) * seconds);
  }

  double iterations(std::int32_t units, double seconds) const {
    return speed.at(inCores(cores(units))) * std::max(0.0, seconds - startTime(units));
  }

  // The seconds until its first iteration begins, with that number of units.
  double startTime(std::int32_t units) const {
    return startWork > 0 ? startWork / std::max(inCores(cores(units)), 1e-3) : 0;
  }
};

// The units of each demand, in the order of the demands.
using Allocation = std::vector<std::int32_t>;

// The demands with their allocation as their new minimum, for the division of the cores that are left.
std::vector<Demand> demandsAbove(std::span<const Demand> demands, const Allocation& allocation);

// The budget that remains after an allocation, and after the minimums of all demands.
Budget leftBy(std::span<const Demand> demands, const Allocation& allocation, Budget budget);
Budget leftByMinimums(std::span<const Demand> demands, Budget budget);

}  // namespace slaq::scheduler
