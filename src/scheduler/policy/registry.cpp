#include "scheduler/policy/registry.h"

#include <algorithm>
#include <array>

#include "scheduler/policy/fair.h"
#include "scheduler/policy/least_attained_service.h"
#include "scheduler/policy/look_ahead.h"
#include "scheduler/policy/min_quality.h"
#include "scheduler/policy/oracle.h"
#include "scheduler/policy/total_quality.h"

namespace slaq::scheduler {
namespace {

const LookAhead& lookAhead() {
  static const LookAhead policy;
  return policy;
}

// A policy that needs to know the future comes after all others.
const std::array<const Policy*, 6>& registered() {
  static const TotalQuality totalQuality;
  static const MinQuality minQuality;
  static const Fair fair;
  static const LeastAttainedService leastAttainedService;
  static const Oracle oracle;
  static const std::array<const Policy*, 6> all = {&totalQuality,         &minQuality,  &fair,
                                                   &leastAttainedService, &lookAhead(), &oracle};
  return all;
}

}  // namespace

const Policy& defaultPolicy() { return lookAhead(); }

std::span<const Policy* const> clusterPolicies() {
  const auto& all = registered();
  return {all.begin(), std::ranges::find_if(all, &Policy::needsKnownFuture)};
}

std::span<const Policy* const> allPolicies() { return registered(); }

const Policy* findPolicy(std::string_view name) {
  const auto found = std::ranges::find(registered(), name, &Policy::name);
  return found == registered().end() ? nullptr : *found;
}

}  // namespace slaq::scheduler
