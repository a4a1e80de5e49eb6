// Algorithm 1: maximize the total normalized loss reduction until the next epoch (section 4.3).
#pragma once

#include <optional>

#include "schedule/candidate.h"

namespace slaq {

// Everybody has its minimum, then unit by unit to the job with the largest predicted gain per core. Where a
// unit is a core this is the paper's Algorithm 1 to the letter. REQUIRES: the minimums fit.
Allocation totalQuality(std::span<const Candidate> candidates, const Budget& budget, Seconds epoch);

class PriceSearch;
// The same allocation, by its price where there is one.
Allocation totalQualityByPrice(PriceSearch& search, std::span<const Candidate> candidates,
                               const Budget& budget, Seconds epoch);

// Normalized loss per core-second that one more unit would take off within the epoch.
double gainPerCore(const Candidate& candidate, std::int32_t units, Seconds epoch);

// The gain per core at which the last unit of `allocation` went: what a core is worth. Empty when nobody has
// more than its minimum.
std::optional<double> priceOf(std::span<const Candidate> candidates, const Allocation& allocation,
                              Seconds epoch);

}  // namespace slaq
