// What training jobs may share where no fixed number says so: what the nodes can give.
#pragma once

#include "job/view.h"

namespace slaq::scheduler {

// Node by node the whole workers that fit, by the smallest worker among the jobs, and besides, between them,
// as many drivers as there are; less what the pods of others wait for. Where no node is known, it is what the
// jobs hold already: nothing is taken from them for what nobody can see.
Cores capacityOf(const ClusterView& view);

}  // namespace slaq::scheduler
