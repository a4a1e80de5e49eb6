// The work-conserving division of the CPU by weight, as the kernel's scheduler does it.
#pragma once

#include <span>
#include <vector>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// The resources of a process, and the cores that it would use at the moment.
struct CpuWish {
  CpuResources resources;
  Cores wanted;
};

// The share of each process in `all` cores: in proportion to the requests, at most its wish or its limit.
// Cores that one process leaves go to the others. In the order of the wishes.
std::vector<Cores> weightedShares(std::span<const CpuWish> wishes, Cores all);

}  // namespace slaq::local::cpu
