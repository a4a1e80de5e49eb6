// A resize is not free on Kubernetes: new pods must start, and meanwhile the job may stand still. This is
// the price that a growth has to be worth.
#pragma once

#include <functional>

#include "schedule/candidate.h"

namespace slaq {

struct ResizePrice {
  Seconds grow{5};      // a job stands still so long when it gets workers
  Seconds shrink{0};    // and so long when it loses some
  Seconds horizon{30};  // the gain is compared over so long; 0: no change is weighed, all that the policy
                        // wants is done, as published

  bool operator==(const ResizePrice&) const = default;
};

// No change is weighed.
inline bool isFree(const ResizePrice& price) {
  return price.horizon <= Seconds(0) || (price.grow <= Seconds(0) && price.shrink <= Seconds(0));
}

// What a job gains over the horizon by going from `from` to `to` units, its pause counted; negative for a
// growth that does not make up for its pause.
double changeOverHorizon(const Candidate& candidate, std::int32_t from, std::int32_t to,
                         const ResizePrice& price);

// What a policy wants, and which growths from `held` to `wanted` pay in its eyes.
struct Aim {
  std::function<Allocation(std::span<const Candidate>, const Budget&)> allocate;
  std::function<std::vector<bool>(std::span<const Candidate>, const Allocation& held,
                                  const Allocation& wanted)>
      paying;
};

// A growth pays if it gains more than its pause costs and than those lose that give it its cores.
std::vector<bool> payingInTotal(std::span<const Candidate> candidates, const Allocation& held,
                                const Allocation& wanted, const ResizePrice& price);
// A growth pays if it takes the job further in spite of its pause, and the job is clearly worse off than all
// those are afterwards that give cores.
std::vector<bool> payingForTheWorst(std::span<const Candidate> candidates, const Allocation& held,
                                    const Allocation& wanted, const ResizePrice& price);

// Takes back from what the aim's policy wants every growth that does not pay, and the shrinks that nobody
// needs then. `held[i]` is what candidate i has now; below its minimum it is not running, and starting it has
// no price. A change in place has no pause, but one of less than a tenth is not worth the trouble.
// `aim.allocate` is called a few times. REQUIRES: the minimums fit into `budget`.
Allocation withoutIdleResizes(std::vector<Candidate> candidates, const Allocation& held, const Budget& budget,
                              const Aim& aim, const ResizePrice& price);

}  // namespace slaq
