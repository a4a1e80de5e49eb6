// The capacity that training jobs may share where no fixed number is configured: what the nodes can give.
#pragma once

#include "job/view.h"

namespace slaq::scheduler {

// The sum over the nodes of the whole workers that fit, counted by the smallest worker among the jobs. The
// room that is left between workers counts as far as the jobs' drivers fit there. Cores that pods of others
// wait for are subtracted. Where no node is known, the capacity is what the jobs hold already: no job loses
// cores only because the nodes cannot be seen.
Cores capacityOf(const ClusterView& view);

}  // namespace slaq::scheduler
