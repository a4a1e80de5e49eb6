// The fields of an object's metadata that identify the object and its owners.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <string_view>

#include "job/job.h"

namespace slaq::kube::json {

// Namespace and name; an object of the whole cluster has no namespace.
JobKey keyOf(const rapidjson::Value& object);

std::string uidOf(const rapidjson::Value& object);
std::string resourceVersionOf(const rapidjson::Value& object);

// An object with its key, uid and resource version.
template <class Object>
Object identified(const rapidjson::Value& object) {
  Object out;
  out.key = keyOf(object);
  out.uid = uidOf(object);
  out.resourceVersion = resourceVersionOf(object);
  return out;
}

// True once the object's deletion was requested.
bool isBeingDeleted(const rapidjson::Value& object);

// The status condition of this type; nullptr if the object has none.
const rapidjson::Value* conditionOf(const rapidjson::Value& object, std::string_view type);

// The message of a status condition that is True, or its reason where it has no message; empty if the object
// has no such condition.
std::optional<std::string> conditionMessage(const rapidjson::Value& object, std::string_view type);

// The field manager other than slaq that set the field at this JSON Pointer, such as "/spec/suspend", as the
// API server records it. Empty if it was slaq, or is not recorded.
std::string otherManagerOf(const rapidjson::Value& object, std::string_view path);

// The uid of the controller among an object's owners; empty if it has none.
std::string controllerOf(const rapidjson::Value& object);
// Its kind and name, such as "Job/train".
std::string controllerNameOf(const rapidjson::Value& object);

}  // namespace slaq::kube::json
