#include "kube/json/metadata.h"

#include "kube/json/json_fields.h"

namespace slaq::kube::json {

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

std::string controllerOf(const rapidjson::Value& object) {
  const auto* owners = at(object, {"metadata", "ownerReferences"});
  if (!owners || !owners->IsArray()) return {};
  for (const auto& owner : owners->GetArray()) {
    if (boolAt(owner, {"controller"})) return stringAt(owner, {"uid"});
  }
  return {};
}

}  // namespace slaq::kube::json
