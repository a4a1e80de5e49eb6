// The work-conserving division of the CPU by weight, as the kernel's scheduler makes it.
#pragma once

#include <span>
#include <vector>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// What a process may be given, and how much of it it would use.
struct CpuWish {
  CpuResources resources;
  Cores wanted;
};

// What each gets of `all` cores: in proportion to the requests, no more than it wants or its limit, and what
// one leaves goes to the others. In the order of the wishes.
std::vector<Cores> weightedShares(std::span<const CpuWish> wishes, Cores all);

}  // namespace slaq::local::cpu
