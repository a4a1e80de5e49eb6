// Look-ahead: the division that lets the sum of all levels fall soonest. Algorithm 1 sees only what the next
// epoch brings; an iteration that takes longer, or a slope behind a plateau, is worth nothing to it.
#pragma once

#include "schedule/price_search.h"

namespace slaq {

// Everybody has its minimum, then unit by unit to the job with the steepest prospect (schedule/prospect.h);
// then units are exchanged as long as that raises the sum of promises. What nobody gains by is divided
// fairly. Where gains are concave and iterations short the first two steps are Algorithm 1 and there is no
// third. Where units are of one size and no group is limited they are not taken, unless that takes less long:
// the price is searched for, by which the same comes out. REQUIRES: the minimums fit.
Allocation lookAhead(PriceSearch& search, std::span<const Candidate> candidates, const Budget& budget,
                     Seconds epoch);

}  // namespace slaq
