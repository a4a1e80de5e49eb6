// The baseline (section 6.1): a work-conserving fair division of cores in whole units.
#pragma once

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

// Max-min fair by weight: everybody has its minimum, then unit by unit to the job with the fewest cores for
// its weight; a job at its maximum, or whose next unit no longer fits, drops out. Equal ones go by their
// order. REQUIRES: the minimums fit into `budget`.
Allocation fairShare(std::span<const Demand> demands, const Budget& budget);

}  // namespace slaq::scheduler
