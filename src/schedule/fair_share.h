// The baseline (section 6.1): a work-conserving fair division of cores in whole workers.
#pragma once

#include "schedule/candidate.h"

namespace slaq {

// Max-min fair by weight: everybody has its minimum, then worker by worker to the job with the fewest cores
// for its weight; a job at its maximum, or whose next worker no longer fits, drops out. Equal ones go by
// their order. REQUIRES: the minimums fit into `capacity`.
Allocation fairShare(std::span<const Candidate> candidates, Cores capacity);

}  // namespace slaq
