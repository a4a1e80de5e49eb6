// What a decision computes in. Kept for the next one, as with many jobs it takes long to get such memory
// anew. Between decisions only that memory is of use, and the last price: what else is in it may point to
// what is gone, and nobody reads it.
#pragma once

#include "schedule/contest.h"
#include "schedule/price_search.h"

namespace slaq {

// One thread uses it at a time.
struct Workspace {
  Contest contest;
  PriceSearch search;
};

// As without it (schedule/plan.h).
Plan decide(const Snapshot& snapshot, const Settings& settings, Workspace& workspace);

}  // namespace slaq
