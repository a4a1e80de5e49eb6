// What a pod costs by the scheduler's own rule of effective requests: the containers together with the
// sidecars, or the largest init container with the sidecars before it, whichever is more; a request of the
// pod as a whole in place of them; and the overhead of its runtime class.
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

// True while what a pod's spec asks for is not what its node has given it.
bool resizing(const rapidjson::Value& pod, std::string_view resource);

// During a resize each container counts with the largest of what is asked, allocated and actual.
Cores effectiveCores(const rapidjson::Value& pod, std::string_view resource);

}  // namespace slaq::kube::pods
