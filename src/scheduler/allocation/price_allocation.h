// The allocation of cores by a price. Every job would take, by itself, the size that maximizes
//     utility(size) - price * cores(size),
// a vertex of the concave envelope of its utility. The dual price of a core-second is the lowest at which
// what all jobs take fits; a group with a limit of its own has a price of its own, never below the common
// one. A local search then moves units between the jobs near the price. Utilities may have any shape over the
// sizes: nothing here supposes that twice the workers are twice as fast.
#pragma once

#include <optional>

#include "scheduler/allocation/utility.h"

namespace slaq::scheduler {

// What decided about one job, in weighted normalized loss per core-second, so that it compares with a price.
struct MarginalGains {
  std::optional<double> next;    // mean, of the units up to the next size; empty if there is none
  std::optional<double> change;  // mean, of the units between what it had and what it gets; if it changes
  double price = 0;              // that it was measured against
  // The size that `next` is about: one unit more, or the fewest more that are allowed and worth a change.
  std::int32_t nextUnits = 0;

  bool operator==(const MarginalGains&) const = default;
};

// Of one demand with that many units, by its utility.
MarginalGains marginalGains(const Demand& demand, const Utility& utility, std::int32_t units, double price);

struct PricedAllocation {
  Allocation units;
  std::vector<MarginalGains> gains;  // in the order of the demands
  // The common price; empty if no demand leaves a choice. 0 where there is more than anybody can use.
  std::optional<double> price;
};

// Each demand gets its bounds' minimum at least, all together no more than the budget. A job that runs keeps
// its size where no other gains more than the pause and the bonus for keeping it; cores that nobody gains by
// are divided fairly among the jobs that lose nothing by a change and are faster with more, and stay idle
// otherwise. Uses several threads for many demands; the result is the same with any number. REQUIRES: the
// minimums fit.
PricedAllocation allocateByPrice(std::span<const Demand> demands, const Budget& budget,
                                 const UtilityRule& rule);

}  // namespace slaq::scheduler
