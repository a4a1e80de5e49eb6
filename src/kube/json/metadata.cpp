#include "kube/json/metadata.h"

#include <rapidjson/pointer.h>

#include <algorithm>

#include "kube/json/json_fields.h"

namespace slaq::kube::json {
namespace {

using rapidjson::Value;

// The name of the field manager for slaq's own writes: the API server takes it from their User-Agent.
constexpr std::string_view kOwnManager = "slaq";

// The managed fields of this element of a list: they are under "k:" and the fields that identify an element.
const Value* fieldsOfElement(const Value& fields, const Value& element) {
  for (const auto& [key, below] : fields.GetObject()) {
    const std::string_view name(key.GetString(), key.GetStringLength());
    if (!name.starts_with("k:")) continue;
    const auto identity = parseJson(name.substr(2));
    if (!identity.IsObject()) continue;
    const bool isIt = std::ranges::all_of(identity.GetObject(), [&](const auto& part) {
      const auto* own = at(element, {part.name.GetString()});
      return own && *own == part.value;
    });
    if (isIt) return &below;
  }
  return nullptr;
}

// True if the managed fields of that manager contain the object's field at the path. Some lists have one
// manager as a whole.
bool owns(const Value& manager, const Value& object, std::string_view path) {
  const auto* fields = at(manager, {"fieldsV1"});
  const Value* value = &object;
  while (fields && !path.empty()) {
    const auto end = std::min(path.find('/', 1), path.size());
    const std::string step(path.substr(1, end - 1));
    value = value ? rapidjson::Pointer(path.data(), end).Get(*value) : nullptr;
    if (fields->IsObject() && fields->ObjectEmpty()) return true;
    const auto* named = at(*fields, {"f:" + step});
    fields = !named && value && fields->IsObject() ? fieldsOfElement(*fields, *value) : named;
    path.remove_prefix(end);
  }
  return fields != nullptr;
}

const Value* controllerReferenceOf(const Value& object) {
  for (const auto& owner : elementsAt(object, {"metadata", "ownerReferences"})) {
    if (boolAt(owner, {"controller"})) return &owner;
  }
  return nullptr;
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

const rapidjson::Value* conditionOf(const rapidjson::Value& object, std::string_view type) {
  return elementWith(object, {"status", "conditions"}, "type", type);
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
    if (manager != kOwnManager && owns(each, object, path)) return manager;
  }
  return {};
}

std::string controllerOf(const rapidjson::Value& object) {
  const auto* owner = controllerReferenceOf(object);
  return owner ? stringAt(*owner, {"uid"}) : "";
}

std::string controllerNameOf(const rapidjson::Value& object) {
  const auto* owner = controllerReferenceOf(object);
  return owner ? stringAt(*owner, {"kind"}) + "/" + stringAt(*owner, {"name"}) : "";
}

}  // namespace slaq::kube::json
