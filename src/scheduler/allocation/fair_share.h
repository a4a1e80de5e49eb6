// The baseline (section 6.1): a work-conserving fair division of cores in whole units.
//
// Idle cores of an allocation go to the jobs that run faster with more, even if their loss gains nothing. A
// job without any reduction to expect still has iterations to do.
#pragma once

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

// Max-min fair by weight: everybody has its minimum, then unit by unit to the job with the fewest cores for
// its weight; a job at its maximum, or whose next unit no longer fits, drops out. Equal ones go by their
// order. REQUIRES: the minimums fit into `budget`.
Allocation fairShare(std::span<const Demand> demands, const Budget& budget);

// When a change of a job that would keep its size pays: where it does more iterations within the horizon.
struct IdleCoresRule {
  double horizon = 0;  // seconds for which nobody else is expected to want them
  // A growth has to bring this share more iterations (hysteresis), and a change in place this share of cores.
  double leastGain = 0;
  double leastChangeInPlace = 0;
};

// Divides the idle cores fairly on top of the allocation, among the jobs that run faster with more. A job
// that the allocation shrinks keeps what it has, as far as that is idle. A job grows beyond its size only if
// it does more iterations within the horizon. That counts the pauses of growing and of giving the cores back
// later, and the work that a change loses. REQUIRES: the allocation is within the budget and the demands'
// bounds.
Allocation withIdleCores(std::span<const Demand> demands, const Budget& budget, Allocation allocation,
                         const IdleCoresRule& rule);

}  // namespace slaq::scheduler
