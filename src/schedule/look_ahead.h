// Look-ahead: the division that lets the sum of all levels fall soonest. Algorithm 1 sees only what the next
// epoch brings; an iteration that takes longer, or a slope behind a plateau, is worth nothing to it.
#pragma once

#include "schedule/price_search.h"

namespace slaq {

// Everybody has its minimum, then unit by unit to the job with the steepest prospect (schedule/prospect.h).
// What nobody gains by is divided fairly. Where gains are concave and iterations short this is Algorithm 1.
// Then the price is searched for. REQUIRES: the minimums fit.
Allocation lookAhead(PriceSearch& search, std::span<const Candidate> candidates, const Budget& budget,
                     Seconds epoch);

}  // namespace slaq
