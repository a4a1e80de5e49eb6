// The baseline (section 6.1): a work-conserving fair division of cores in whole units.
//
// Idle cores of an allocation go to the jobs that run faster with more, even if their loss gains nothing. A
// job without any expected reduction still has iterations to do.
#pragma once

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

// Max-min fairness by weight. Each job gets its minimum. Then one unit at a time goes to the job with the
// fewest cores for its weight. A job drops out at its maximum, or when its next unit no longer fits. Among
// equal jobs the unit goes to one that holds it already, else to the first one. REQUIRES: the minimums fit
// into `budget`.
Allocation fairShare(std::span<const Demand> demands, const Budget& budget);

// The rule by which a job that would keep its size takes idle cores: it must do more iterations within the
// horizon.
struct IdleCoresRule {
  double horizon = 0;  // seconds for which no other job is expected to want the cores
  // A growth has to add this share of iterations (hysteresis), and a change in place this share of cores.
  double leastGain = 0;
  double leastChangeInPlace = 0;
};

// Divides the idle cores fairly on top of the allocation, among the jobs that run faster with more. A job
// that the allocation shrinks keeps its units as far as these would be idle. A job grows beyond its size only
// if it does more iterations within the horizon. This counts the pauses of growing and of giving the cores
// back later, and the work that a change loses. REQUIRES: the allocation is within the budget and the
// demands' bounds.
Allocation withIdleCores(std::span<const Demand> demands, const Budget& budget, Allocation allocation,
                         const IdleCoresRule& rule);

}  // namespace slaq::scheduler
