// The paths of job/target_kind.h in an object of the API server.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace slaq::kube::targets {

// The number of workers in the subresource scale of any kind.
inline const std::string kScalePath = "/spec/replicas";

// The names of the groups of workers that an object has, in its order: what the step "[FIELD]" of the path
// may stand for. One empty name if the path has no such step.
std::vector<std::string> groupsAt(const rapidjson::Value& object, const std::string& path);

// The JSON Pointer that the path is for this group; empty if there is no path, or if the object has no such
// group.
std::string pointerTo(const rapidjson::Value& object, const std::string& path, const std::string& group);

// The value at that pointer, or nullptr.
const rapidjson::Value* valueAt(const rapidjson::Value& object, const std::string& path,
                                const std::string& group = {});

std::optional<Workers> workersAt(const rapidjson::Value& object, const std::string& path,
                                 const std::string& group = {});

}  // namespace slaq::kube::targets
