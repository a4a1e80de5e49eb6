// A resize is not free on Kubernetes: new pods must start, and meanwhile the job may stand still. This is the
// price that a growth has to be worth, and how a policy that does not count it by itself is held to it.
#pragma once

#include <algorithm>
#include <functional>

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

struct ResizePrice {
  Seconds grow{5};      // a job stands still this long when it gets workers
  Seconds shrink{0};    // and this long when it loses some
  Seconds horizon{30};  // the gain is compared over this time; 0: no change is weighed, and every policy gets
                        // what it wants in each epoch, as published

  bool operator==(const ResizePrice&) const = default;
};

// No change is weighed.
inline bool isFree(const ResizePrice& price) {
  return price.horizon <= Seconds(0) || (price.grow <= Seconds(0) && price.shrink <= Seconds(0));
}

// How far ahead sizes are compared: a resize binds for the horizon of its price.
inline Seconds horizonOf(const ResizePrice& price, Seconds epoch) { return std::max(epoch, price.horizon); }

// Jobs that did not change for a while are expected to stay so for as long again, but no longer than this.
inline constexpr Seconds kLongestCalm{600};
inline Seconds expectedCalm(Seconds calm) { return std::min(calm, kLongestCalm); }

// The seconds for which the job stands still if it goes from what it has to that many units.
double pauseOf(const Demand& demand, std::int32_t units, const ResizePrice& price);

// What the job gains over the horizon by going from what it has to that many units, its pause counted;
// negative for a growth that does not make up for its pause.
double gainOfChange(const Demand& demand, std::int32_t units, const ResizePrice& price);

// What a policy wants, were resizes free, and which growths from what is held to what is wanted pay in its
// eyes.
struct ResizeRule {
  std::function<Allocation(std::span<const Demand>, const Budget&)> allocate;
  std::function<std::vector<bool>(std::span<const Demand>, const Allocation& wanted)> growthsThatPay;
  Seconds calm{0};  // since any of the jobs was last told to change
};

// What the policy wants, if resizes are free. Otherwise without every growth that does not pay and the
// shrinks that nobody needs then, and without reversals: noise turns forecasts to and fro, so a change that
// was to pay over the horizon is not taken back within it for another's gain; only jobs without a forecast,
// and cores that nobody wants, are reason enough. A start has no price. A change in place has no pause, but
// one of less than a tenth is not worth the trouble. `rule.allocate` is called a few times. REQUIRES: the
// minimums fit.
Allocation allocateWithResizesThatPay(std::span<const Demand> demands, const Budget& budget,
                                      const ResizePrice& price, const ResizeRule& rule);

}  // namespace slaq::scheduler
