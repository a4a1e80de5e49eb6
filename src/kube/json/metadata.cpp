#include "kube/json/metadata.h"

#include <algorithm>

#include "kube/json/json_fields.h"

namespace slaq::kube::json {
namespace {

// The name of the field manager for slaq's own writes: the API server takes it from their User-Agent.
constexpr std::string_view kOwnManager = "slaq";

// True if the managed fields of that manager contain the one at the path.
bool owns(const rapidjson::Value& manager, std::string_view path) {
  const auto* fields = at(manager, {"fieldsV1"});
  while (fields && !path.empty()) {
    const auto end = std::min(path.find('/', 1), path.size());
    fields = at(*fields, {"f:" + std::string(path.substr(1, end - 1))});
    path.remove_prefix(end);
  }
  return fields != nullptr;
}

}  // namespace

JobKey keyOf(const rapidjson::Value& object) {
  return {stringAt(object, {"metadata", "namespace"}), stringAt(object, {"metadata", "name"})};
}

std::string uidOf(const rapidjson::Value& object) { return stringAt(object, {"metadata", "uid"}); }

std::string resourceVersionOf(const rapidjson::Value& object) {
  return stringAt(object, {"metadata", "resourceVersion"});
}

bool isBeingDeleted(const rapidjson::Value& object) {
  return at(object, {"metadata", "deletionTimestamp"}) != nullptr;
}

std::optional<std::string> conditionMessage(const rapidjson::Value& object, std::string_view type) {
  for (const auto& condition : elementsAt(object, {"status", "conditions"})) {
    if (stringAt(condition, {"type"}) != type || stringAt(condition, {"status"}) != "True") continue;
    const std::string message = stringAt(condition, {"message"});
    return printable(message.empty() ? stringAt(condition, {"reason"}) : message);
  }
  return std::nullopt;
}

std::string otherManagerOf(const rapidjson::Value& object, std::string_view path) {
  for (const auto& each : elementsAt(object, {"metadata", "managedFields"})) {
    std::string manager = stringAt(each, {"manager"});
    if (manager != kOwnManager && owns(each, path)) return manager;
  }
  return {};
}

std::string controllerOf(const rapidjson::Value& object) {
  for (const auto& owner : elementsAt(object, {"metadata", "ownerReferences"})) {
    if (boolAt(owner, {"controller"})) return stringAt(owner, {"uid"});
  }
  return {};
}

}  // namespace slaq::kube::json
