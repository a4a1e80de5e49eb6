#include "scheduler/policies/registry.h"

#include <algorithm>
#include <array>

#include "scheduler/policies/fair.h"
#include "scheduler/policies/finish_time.h"
#include "scheduler/policies/least_attained_service.h"
#include "scheduler/policies/look_ahead.h"
#include "scheduler/policies/min_quality.h"
#include "scheduler/policies/oracle.h"
#include "scheduler/policies/total_quality.h"

namespace slaq::scheduler {
namespace {

template <class OnePolicy>
const Policy* one() {
  static const OnePolicy policy;
  return &policy;
}

// Every policy has a line here. Policies that need to know the future come after all others.
std::span<const Policy* const> registered() {
  static const std::array all = {
      one<TotalQuality>(), one<MinQuality>(), one<Fair>(),   one<LeastAttainedService>(),
      one<FinishTime>(),   one<LookAhead>(),  one<Oracle>(),
  };
  return all;
}

}  // namespace

const Policy& defaultPolicy() { return *one<LookAhead>(); }

std::span<const Policy* const> clusterPolicies() {
  const auto all = registered();
  return {all.begin(), std::ranges::find_if(all, &Policy::needsKnownFuture)};
}

std::span<const Policy* const> allPolicies() { return registered(); }

const Policy* findPolicy(std::string_view name) {
  const auto all = registered();
  const auto found = std::ranges::find(all, name, &Policy::name);
  return found == all.end() ? nullptr : *found;
}

}  // namespace slaq::scheduler
