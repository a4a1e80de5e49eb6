// These functions tell how many of the machine's CPUs this process may use, and choose the mechanism that
// divides them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "local/cpu/cgroup_places.h"
#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// The CPUs that this process may run on, or less where its control group or a group above it has a quota, as
// in a container.
Cores usableCores();

// The least of the quotas in these groups; empty if none has one.
std::optional<Cores> leastQuota(const std::vector<CgroupPlace>& groups);

// Chooses control groups (version 1, then 2) where this process may write them, and otherwise a limiter that
// stops and continues the processes, which always works. All processes together have `all` cores. Control
// groups use the CPUs from the place `first` on; without one, CPUs that no other slaq has taken so.
std::unique_ptr<CpuLimiter> chooseCpuLimiter(Cores all, std::optional<int> first = {});

}  // namespace slaq::local::cpu
