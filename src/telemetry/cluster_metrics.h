// Metrics of the cluster as a whole, and of each namespace. Only the leader exports them, since the cores
// that two processes exported would be added up.
#pragma once

#include <prometheus/metric_family.h>

#include <map>
#include <string>
#include <vector>

#include "loop/epoch_loop.h"
#include "scheduler/state/settings.h"

namespace slaq::telemetry {

using NamespaceLimits = std::map<std::string, scheduler::NamespaceLimit>;  // as Settings::limits

// Jobs by state, capacity, decided cores, the price of a core, and the cores and the limits of namespaces.
std::vector<prometheus::MetricFamily> clusterFamilies(const loop::EpochReport& report,
                                                      const NamespaceLimits& limits);

}  // namespace slaq::telemetry
