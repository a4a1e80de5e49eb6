// A resize is not free on Kubernetes: new pods must start, and meanwhile the job may stand still. This file
// has the price that a growth must be worth, and applies it to policies that do not count it by themselves.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "scheduler/allocation/demand.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {

struct ResizePrice {
  Seconds grow{5};      // a job stands still this long when it gets workers
  Seconds shrink{0};    // and this long when it loses some
  Seconds horizon{30};  // the gain is compared over this time; 0: no change is weighed, and every policy gets
                        // what it wants in each epoch, as published
  // The gain over this time counts where the CPU of all jobs changes in place, or over an epoch if that is
  // longer; empty: over `horizon`.
  std::optional<Seconds> horizonInPlace = {};

  bool operator==(const ResizePrice&) const = default;
};

// True if no change is weighed.
inline bool isFree(const ResizePrice& price) {
  return price.horizon <= Seconds(0) || (price.grow <= Seconds(0) && price.shrink <= Seconds(0));
}

// The time over which sizes are compared: a resize binds for the horizon of its price.
inline Seconds horizonOf(const ResizePrice& price, Seconds epoch) { return std::max(epoch, price.horizon); }
inline Seconds horizonInPlaceOf(const ResizePrice& price, Seconds epoch) {
  return std::max(epoch, price.horizonInPlace.value_or(price.horizon));
}

inline Seconds expectedCalm(Seconds calm) { return std::min(calm, kLongestCalm); }

// The seconds for which the job stands still if it changes from its size to `units` units.
double pauseOf(const Demand& demand, std::int32_t units, const ResizePrice& price);

// The gain of the job over the horizon if it changes from its size to `units` units, with its pause counted.
// It is negative for a growth that does not make up for its pause.
double gainOfChange(const Demand& demand, std::int32_t units, const ResizePrice& price);

// A policy's view of resizes: its allocation if resizes were free, and the growths from held to wanted sizes
// that pay by its measure.
struct ResizeRule {
  std::function<Allocation(std::span<const Demand>, const Budget&)> allocate;
  std::function<std::vector<bool>(std::span<const Demand>, const Allocation& wanted)> growthsThatPay;
  Seconds calm{0};  // time since any of the jobs was last told to change
};

// If resizes are free, the result is what the policy wants. Otherwise growths that do not pay are left out,
// and shrinks that no remaining growth needs. Reversals are left out too: forecasts fluctuate by noise, so a
// change that was to pay over the horizon is not taken back within it for another job's gain. Only jobs
// without a forecast, and cores that no job wants, are reason enough. A start has no price. A change in place
// has no pause, but one of less than a tenth is not worth the trouble. `rule.allocate` is called a few times.
// REQUIRES: the minimums fit.
Allocation allocateWithResizesThatPay(std::span<const Demand> demands, const Budget& budget,
                                      const ResizePrice& price, const ResizeRule& rule);

}  // namespace slaq::scheduler
