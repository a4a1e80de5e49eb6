// The work-conserving division of the CPU by weight, as the kernel's scheduler makes it.
#pragma once

#include <span>
#include <vector>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// The resources of a process, and how many cores it would use at the moment.
struct CpuWish {
  CpuResources resources;
  Cores wanted;
};

// What each gets of `all` cores: in proportion to the requests, no more than it wants or its limit, and what
// one leaves goes to the others. In the order of the wishes.
std::vector<Cores> weightedShares(std::span<const CpuWish> wishes, Cores all);

}  // namespace slaq::local::cpu
