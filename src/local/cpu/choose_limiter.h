// Chooses the mechanism that divides the CPU on this machine.
#pragma once

#include <memory>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// Chooses control groups (version 1, then 2) where this process may write them, and otherwise a limiter that
// stops and continues the processes, which always works. All processes together have `all` cores. Control
// groups use the CPUs from the place `first` on.
std::unique_ptr<CpuLimiter> chooseCpuLimiter(Cores all, int first = 0);

}  // namespace slaq::local::cpu
