// What an administrator chooses about the scheduling.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/units.h"
#include "scheduler/policies/registry.h"

namespace slaq::scheduler {

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

struct Settings {
  Mode mode = Mode::Schedule;
  const Policy* policy = &defaultPolicy();  // never null; outlives the settings
  std::string predictor = "Ensemble";       // one of predictorNames()
  Seconds epoch{3};
  std::string resource = "cpu";   // the unit of capacity: what a core is one of
  std::optional<Cores> capacity;  // what training jobs may share, their drivers included; empty: what the
                                  // nodes can give
  std::map<std::string, NamespaceLimit> limits;  // by namespace; "*" is for each that is not named
  ResizePrice price;

  bool operator==(const Settings&) const = default;
};

}  // namespace slaq::scheduler
