// Whether a TrainingJob's metadata and pod templates have the shape that Kubernetes' API server takes: its
// fields, their types, and the rules of pod_rules.json about single values. The schema is the one that an API
// server publishes (scripts/update-pod-schema), so that a manifest can be judged without a cluster.
#pragma once

#include <rapidjson/document.h>

#include <vector>

#include "job/validate.h"

namespace slaq::manifest::pods {

// Returns what is wrong, in no order. REQUIRES: a depth of at most 64 levels. Nulls count as absent, as on
// the API server.
std::vector<Violation> schemaViolations(const rapidjson::Value& trainingJob);

}  // namespace slaq::manifest::pods
