// The cost of a pod is the effective request that kube-scheduler uses. That is the larger of (containers +
// sidecars) and (the largest init container + the sidecars before it), or the pod-level request if there is
// one. The overhead of the runtime class is added.
#pragma once

#include <rapidjson/document.h>

#include <string_view>

#include "base/units.h"

namespace slaq::kube::pods {

// The quantity of `resource` in a list of resources such as {"cpu": "500m"}; zero if there is none.
Cores quantityIn(const rapidjson::Value* resources, std::string_view resource);

// A container's request, or its limit if it has no request.
Cores requestOf(const rapidjson::Value& container, std::string_view resource);

// The status of the container with that name among a pod's containerStatuses; nullptr if there is none yet.
const rapidjson::Value* statusOf(const rapidjson::Value& pod, std::string_view container);

// True while the pod's spec requests other amounts than its node has allocated.
bool resizing(const rapidjson::Value& pod, std::string_view resource);

// The effective request. During a resize each container counts with the largest of requested, allocated and
// actual. Never more than kMostCores.
Cores effectiveCores(const rapidjson::Value& pod, std::string_view resource);

}  // namespace slaq::kube::pods
