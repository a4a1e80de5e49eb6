// Look-ahead where a change of size has a price: for each job the better of keeping what it has over the
// horizon, and changing and losing the pause.
#pragma once

#include "schedule/candidate.h"

namespace slaq {

// Finds the price of a core at which the sizes that are best for each job by themselves add up to what there
// is. `held[i]` is what candidate i has; below its minimum it is not running, and its start loses nothing.
// What is left goes to those that change anyway, then to those that would shrink; the rest stays idle rather
// than stop a job for less than it gains. REQUIRES: no candidate is of a limited group, and the minimums fit.
Allocation relocate(std::span<const Candidate> candidates, const Allocation& held, Cores capacity,
                    Seconds horizon);

}  // namespace slaq
