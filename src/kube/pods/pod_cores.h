// What a pod costs, by the effective request that kube-scheduler uses: the larger of (containers + sidecars)
// and (the largest init container + the sidecars before it), or the pod-level request if there is one; plus
// the overhead of the runtime class.
#pragma once

#include <rapidjson/document.h>

#include <string_view>

#include "base/units.h"

namespace slaq::kube::pods {

// The quantity of `resource` in a list of resources such as {"cpu": "500m"}; zero if there is none.
Cores quantityIn(const rapidjson::Value* resources, std::string_view resource);

// A container's request, or its limit where it has none.
Cores requestOf(const rapidjson::Value& container, std::string_view resource);

// The status of the container of that name among a pod's containerStatuses; nullptr if there is none yet.
const rapidjson::Value* statusOf(const rapidjson::Value& pod, std::string_view container);

// True while the pod's spec requests something else than its node has allocated.
bool resizing(const rapidjson::Value& pod, std::string_view resource);

// The effective request. During a resize each container counts with the largest of requested, allocated and
// actual. Never more than kMostCores.
Cores effectiveCores(const rapidjson::Value& pod, std::string_view resource);

}  // namespace slaq::kube::pods
