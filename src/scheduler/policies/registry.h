// All policies, by name.
#pragma once

#include <span>

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// The default policy: LookAhead.
const Policy& defaultPolicy();

// The policies that can run a cluster.
std::span<const Policy* const> clusterPolicies();
// These policies, and those that only a simulation can run.
std::span<const Policy* const> allPolicies();

// Null if no policy has this name.
const Policy* findPolicy(std::string_view name);

}  // namespace slaq::scheduler
