// A resize is not free on Kubernetes: new pods must start, and meanwhile the job may stand still. This is
// the price that a growth has to be worth.
#pragma once

#include <functional>

#include "schedule/candidate.h"

namespace slaq {

struct ResizePrice {
  Seconds grow{5};      // a job stands still so long when it gets workers
  Seconds shrink{0};    // and so long when it loses some
  Seconds horizon{30};  // the gain is compared over so long

  bool operator==(const ResizePrice&) const = default;
};

// What a job gains over the horizon by going from `from` to `to` workers, its pause counted; negative for a
// growth that does not make up for its pause.
double changeOverHorizon(const Candidate& candidate, std::int32_t from, std::int32_t to,
                         const ResizePrice& price);

// Takes back from what `allocate` wants every growth that does not pay, and the shrinks that nobody needs
// then. A growth pays if it gains more than its pause costs and than those lose that give it its cores.
// `held[i]` is what candidate i has now; below its minimum it is not running, and starting it has no price.
// `allocate(candidates, capacity)` is called a few times. REQUIRES: the minimums fit into `capacity`.
Allocation withoutIdleResizes(std::vector<Candidate> candidates, const Allocation& held, Cores capacity,
                              const ResizePrice& price,
                              const std::function<Allocation(std::span<const Candidate>, Cores)>& allocate);

}  // namespace slaq
