// The choice of what divides the CPU on this machine.
#pragma once

#include <memory>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// Control groups (version 1, then 2) where this process may write them; else one that stops and continues the
// processes, which together have `all` cores, where
// that can be said the CPUs from the place `first` on. Never fails: the last always works.
std::unique_ptr<CpuLimiter> chooseCpuLimiter(Cores all, int first = 0);

}  // namespace slaq::local::cpu
