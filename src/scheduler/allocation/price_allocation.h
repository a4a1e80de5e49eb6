// The allocation of cores by a price. Each job by itself would take the size that maximizes
//     utility(size) - price * cores(size),
// which is a vertex of the concave envelope of its utility. The dual price of a core-second is the lowest
// price at which the sizes of all jobs fit. A group with a limit has a price of its own, never below the
// common one. A local search then moves units between the jobs near the price. The price that is returned is
// moved to where it agrees with that: at least the gain of a unit that a job was denied, at most that of a
// unit by which a job grew. Utilities may have any shape over the sizes.
#pragma once

#include <optional>

#include "scheduler/allocation/utility.h"

namespace slaq::scheduler {

// The gains that decided about one job, in weighted normalized loss per core-second, the unit of the price.
struct MarginalGains {
  std::optional<double> next;    // mean over the units up to the next size; empty if there is none
  std::optional<double> change;  // mean over the units between its old and new size, if it changes
  double price = 0;              // the price that they were compared with
  // The size that `next` is about: one unit more, or the smallest larger size that is allowed and worth a
  // change.
  std::int32_t nextUnits = 0;

  bool operator==(const MarginalGains&) const = default;
};

// The gains of one demand with that number of units, by its utility.
MarginalGains marginalGains(const Demand& demand, const Utility& utility, std::int32_t units, double price);

struct PricedAllocation {
  Allocation units;
  std::vector<MarginalGains> gains;  // in the order of the demands
  // The common price. It is empty if no demand leaves a choice, and 0 where all jobs can have all that they
  // can use.
  std::optional<double> price;
};

// Each demand gets its minimum at least, and all together no more than the budget. A running job keeps its
// size unless another job gains more than the pause and the bonus for keeping it. Cores from which no job
// gains are divided fairly among the jobs that lose nothing by a change and are faster with more; else they
// stay idle. Uses several threads for many demands; the result is the same with any number. REQUIRES: the
// minimums fit.
PricedAllocation allocateByPrice(std::span<const Demand> demands, const Budget& budget,
                                 const UtilityRule& rule);

}  // namespace slaq::scheduler
