// The choice of a CPU limiter that works on this machine.
#pragma once

#include <memory>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// Control groups (version 1, then 2) where this process may write them; else one that stops and continues the
// processes. Never fails: the last always works.
std::unique_ptr<CpuLimiter> chooseCpuLimiter();

}  // namespace slaq::local::cpu
