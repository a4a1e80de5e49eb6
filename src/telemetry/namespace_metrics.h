// What the jobs of each namespace hold together, against what they may.
#pragma once

#include <prometheus/metric_family.h>

#include <map>
#include <string>
#include <vector>

#include "loop/epoch_loop.h"
#include "scheduler/state/settings.h"

namespace slaq::telemetry {

using NamespaceLimits = std::map<std::string, scheduler::NamespaceLimit>;  // as Settings::limits

// One family of what is held and one of the limits, for the namespaces that have jobs.
std::vector<prometheus::MetricFamily> namespaceFamilies(const loop::EpochReport& report,
                                                        const NamespaceLimits& limits);

}  // namespace slaq::telemetry
