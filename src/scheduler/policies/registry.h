// All policies, by name.
#pragma once

#include <span>

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// The one that is used where nothing is said: LookAhead.
const Policy& defaultPolicy();

// Those that a cluster can be run by.
std::span<const Policy* const> clusterPolicies();
// And those that only a simulation can run by.
std::span<const Policy* const> allPolicies();

// Null if there is none of that name among all policies.
const Policy* findPolicy(std::string_view name);

}  // namespace slaq::scheduler
