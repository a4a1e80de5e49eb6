#include "kube/pods/node.h"

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"

namespace slaq::kube::pods {
namespace {

using json::at;
using json::boolAt;
using json::resourceVersionOf;
using json::stringAt;
using json::uidOf;

using rapidjson::Value;

bool isReady(const Value& node) {
  const auto* conditions = at(node, {"status", "conditions"});
  if (!conditions || !conditions->IsArray()) return false;
  for (const auto& each : conditions->GetArray()) {
    if (stringAt(each, {"type"}) == "Ready") return stringAt(each, {"status"}) == "True";
  }
  return false;
}

bool keepsPodsAway(const Value& node, std::string_view resource) {
  const auto* taints = at(node, {"spec", "taints"});
  if (!taints || !taints->IsArray()) return false;
  for (const auto& each : taints->GetArray()) {
    const std::string effect = stringAt(each, {"effect"});
    const bool hard = effect == "NoSchedule" || effect == "NoExecute";
    if (hard && stringAt(each, {"key"}) != resource) return true;
  }
  return false;
}

}  // namespace

Node readNode(const Value& node, std::string_view resource) {
  Node out;
  out.key.name = stringAt(node, {"metadata", "name"});
  out.uid = uidOf(node);
  out.resourceVersion = resourceVersionOf(node);
  out.allocatable = quantityIn(at(node, {"status", "allocatable"}), resource);
  out.open = !boolAt(node, {"spec", "unschedulable"}) && isReady(node) && !keepsPodsAway(node, resource);
  return out;
}

}  // namespace slaq::kube::pods
