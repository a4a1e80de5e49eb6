// The fields of a ResourceQuota that slaq keeps: what it allows the pods of its namespace to request.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "job/job.h"

namespace slaq::kube::pods {

struct Quota {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  // The limit on the unit of capacity. Empty if the quota does not limit that unit, or limits only some of
  // the namespace's pods (spec.scopes, spec.scopeSelector).
  std::optional<Cores> hard = {};
  Cores used;  // by all pods of the namespace, as the API server last counted
};

Quota readQuota(const rapidjson::Value& quota, std::string_view resource);

}  // namespace slaq::kube::pods
