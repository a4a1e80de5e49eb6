// What an administrator chooses about the scheduling.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "schedule/resize_price.h"

namespace slaq {

enum class PolicyName {
  TotalQuality,          // Algorithm 1 (section 4.3)
  MinQuality,            // the worst job first (section 4.3)
  Fair,                  // the work-conserving baseline (section 6.1)
  LeastAttainedService,  // the job that has used the fewest core-seconds first
  LookAhead,             // the largest slope of what is still to gain, not only until the next epoch
  Oracle,                // look-ahead on the true curves: where somebody knows them, as a simulation does
};

// Those that a cluster can be run by.
inline constexpr std::initializer_list<PolicyName> kPolicies = {
    PolicyName::TotalQuality, PolicyName::MinQuality, PolicyName::Fair, PolicyName::LeastAttainedService,
    PolicyName::LookAhead};

// It goes by forecasts, and so wants to know each job's loss.
constexpr bool goesByForecasts(PolicyName policy) {
  return policy != PolicyName::Fair && policy != PolicyName::LeastAttainedService;
}
// It counts what is gained on the way to the end, and not only until the next epoch.
constexpr bool looksAhead(PolicyName policy) {
  return policy == PolicyName::LookAhead || policy == PolicyName::Oracle;
}

enum class Mode {
  Schedule,
  Observe,  // decides and publishes, and touches no pod
};

std::string_view name(Mode mode);

// What the jobs of one namespace may have.
struct NamespaceLimit {
  std::optional<Cores> cores = {};  // all of them together, drivers included
  std::optional<int> weight = {};   // each of them; a larger one counts as this

  bool operator==(const NamespaceLimit&) const = default;
};

std::string_view name(PolicyName policy);
// One of kPolicies.
std::optional<PolicyName> policyFrom(std::string_view text);

struct Settings {
  Mode mode = Mode::Schedule;
  PolicyName policy = PolicyName::LookAhead;
  std::string predictor = "Ensemble";  // one of predictorNames()
  Seconds epoch{3};
  std::string resource = "cpu";   // the unit of capacity: what a core is one of
  std::optional<Cores> capacity;  // what training jobs may share, their drivers included; empty: what the
                                  // nodes can give
  std::map<std::string, NamespaceLimit> limits;  // by namespace; "*" is for each that is not named
  ResizePrice price;

  bool operator==(const Settings&) const = default;
};

// Look-ahead where resizes have a price: for each job the better of staying as it is and changing.
inline bool weighsEachChange(const Settings& settings) {
  return looksAhead(settings.policy) && !isFree(settings.price);
}

}  // namespace slaq
