#include "schedule/settings.h"

namespace slaq {

std::string_view name(PolicyName policy) {
  switch (policy) {
    case PolicyName::TotalQuality:
      return "TotalQuality";
    case PolicyName::MinQuality:
      return "MinQuality";
    case PolicyName::Fair:
      return "Fair";
    case PolicyName::LeastAttainedService:
      return "LeastAttainedService";
    case PolicyName::LookAhead:
      return "LookAhead";
    case PolicyName::Oracle:
      return "Oracle";
  }
  return "TotalQuality";
}

std::string_view name(Mode mode) { return mode == Mode::Observe ? "Observe" : "Schedule"; }

std::optional<PolicyName> policyFrom(std::string_view text) {
  for (const auto each : kPolicies) {
    if (text == name(each)) return each;
  }
  return std::nullopt;
}

}  // namespace slaq
