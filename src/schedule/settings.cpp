#include "schedule/settings.h"

namespace slaq {

std::string_view name(PolicyName policy) {
  switch (policy) {
    case PolicyName::TotalQuality:
      return "TotalQuality";
    case PolicyName::Fair:
      return "Fair";
  }
  return "TotalQuality";
}

std::optional<PolicyName> policyFrom(std::string_view text) {
  for (const auto each : {PolicyName::TotalQuality, PolicyName::Fair}) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

}  // namespace slaq
