// The settings of the scheduling that an administrator chooses.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "job/job.h"
#include "scheduler/policies/registry.h"

namespace slaq::scheduler {

// The limits for the jobs of one namespace.
struct NamespaceLimit {
  std::optional<Cores> cores = {};  // all of them together, drivers included
  std::optional<int> weight = {};   // of each job; a larger weight counts as this

  bool operator==(const NamespaceLimit&) const = default;
};

struct Settings {
  Mode mode = Mode::Schedule;               // of all jobs
  const Policy* policy = &defaultPolicy();  // never null; outlives the settings
  std::string predictor = "Ensemble";       // one of predictorNames()
  Seconds epoch{3};
  std::string resource = "cpu";   // the unit of capacity: the resource that a core stands for
  std::optional<Cores> capacity;  // what training jobs may share, their drivers included; empty: what the
                                  // nodes can give
  std::map<std::string, NamespaceLimit> limits;  // by namespace; "*" is for each namespace that is not named
  ResizePrice price;

  bool operator==(const Settings&) const = default;
};

}  // namespace slaq::scheduler
