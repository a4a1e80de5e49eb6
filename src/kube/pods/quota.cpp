#include "kube/pods/quota.h"

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"

namespace slaq::kube::pods {
namespace {

using json::at;
using rapidjson::Value;

bool isForSomePods(const Value& quota) {
  return at(quota, {"spec", "scopes"}) || at(quota, {"spec", "scopeSelector"});
}

}  // namespace

Quota readQuota(const Value& quota, std::string_view resource) {
  Quota out{.key = json::keyOf(quota),
            .uid = json::uidOf(quota),
            .resourceVersion = json::resourceVersionOf(quota)};
  if (isForSomePods(quota)) return out;
  const auto* hard = at(quota, {"status", "hard"});
  // Kubernetes has a second name for the requests of CPU.
  for (const auto& name : {"requests." + std::string(resource), std::string(resource)}) {
    if (!hard || !hard->IsObject() || !hard->HasMember(name.c_str())) continue;
    const Cores most = quantityIn(hard, name);
    if (out.hard && *out.hard <= most) continue;
    out.hard = most;
    out.used = quantityIn(at(quota, {"status", "used"}), name);
  }
  return out;
}

}  // namespace slaq::kube::pods
