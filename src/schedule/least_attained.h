// Least attained service: who has used least is served first. A baseline that asks for no forecast.
#pragma once

#include "schedule/candidate.h"

namespace slaq {

// Everybody has its minimum, then unit by unit to the job that will have used the fewest core-seconds for its
// weight after `horizon`. REQUIRES: the minimums fit.
Allocation leastAttained(std::span<const Candidate> candidates, const Budget& budget, Seconds horizon);

// A growth pays if the job has clearly been served less than all those that give cores for it.
std::vector<bool> payingForTheLeastServed(std::span<const Candidate> candidates, const Allocation& held,
                                          const Allocation& wanted);

}  // namespace slaq
