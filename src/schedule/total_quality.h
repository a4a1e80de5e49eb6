// Algorithm 1: maximize the total normalized loss reduction until the next epoch (section 4.3).
#pragma once

#include "schedule/candidate.h"

namespace slaq {

// Everybody has its minimum, then worker by worker to the job with the largest predicted gain per core.
// Where a worker costs one core this is the paper's Algorithm 1 to the letter. REQUIRES: the minimums fit.
Allocation totalQuality(std::span<const Candidate> candidates, Cores capacity, Seconds epoch);

// Normalized loss per core-second that one more worker would take off within the epoch.
double gainPerCore(const Candidate& candidate, std::int32_t workers, Seconds epoch);

}  // namespace slaq
