// What the leader knows of the cluster as a whole, and of each namespace. Only the leader exports it: two
// processes that told the same cores would be added up.
#pragma once

#include <prometheus/metric_family.h>

#include <map>
#include <string>
#include <vector>

#include "loop/epoch_loop.h"
#include "scheduler/state/settings.h"

namespace slaq::telemetry {

using NamespaceLimits = std::map<std::string, scheduler::NamespaceLimit>;  // as Settings::limits

// Jobs by state, capacity, cores decided on, the price of a core, and what namespaces hold and may hold.
std::vector<prometheus::MetricFamily> clusterFamilies(const loop::EpochReport& report,
                                                      const NamespaceLimits& limits);

}  // namespace slaq::telemetry
