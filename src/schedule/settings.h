// What an administrator chooses about the scheduling.
#pragma once

#include <optional>
#include <string_view>

#include "base/units.h"
#include "schedule/resize_price.h"

namespace slaq {

enum class PolicyName {
  TotalQuality,  // Algorithm 1 (section 4.3)
  Fair,          // the work-conserving baseline (section 6.1)
};

std::string_view name(PolicyName policy);
std::optional<PolicyName> policyFrom(std::string_view text);

struct Settings {
  PolicyName policy = PolicyName::TotalQuality;
  Seconds epoch{3};
  Cores capacity;  // what training jobs may share, their drivers included
  ResizePrice price;

  bool operator==(const Settings&) const = default;
};

}  // namespace slaq
