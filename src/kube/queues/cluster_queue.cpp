#include "kube/queues/cluster_queue.h"

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "manifest/object_writer.h"
#include "yaml/value.h"

namespace slaq::kube::queues {
namespace {

using json::at;
using json::elementsAt;
using json::stringAt;
using rapidjson::Value;

// A larger quota than can be counted is as good as none.
std::optional<Cores> quotaAt(const Value& quota, std::string_view field) {
  const auto* quantity = at(quota, {field});
  if (!quantity) return std::nullopt;
  return yaml::readCores(*quantity).value_or(kMostCores);
}

bool isStopped(const Value& object) {
  const std::string policy = stringAt(object, {"spec", "stopPolicy"});
  return !policy.empty() && policy != "None";
}

}  // namespace

ClusterQueue readClusterQueue(const Value& object, std::string_view resource) {
  auto out = json::identified<ClusterQueue>(object);
  out.cohort = stringAt(object, {"spec", "cohortName"});
  out.stopped = isStopped(object);
  for (const auto& group : elementsAt(object, {"spec", "resourceGroups"})) {
    for (const auto& flavor : elementsAt(group, {"flavors"})) {
      for (const auto& quota : elementsAt(flavor, {"resources"})) {
        if (stringAt(quota, {"name"}) != resource) continue;
        out.flavors.push_back({.flavor = stringAt(flavor, {"name"}),
                               .nominal = quotaAt(quota, "nominalQuota").value_or(Cores()),
                               .borrowing = quotaAt(quota, "borrowingLimit"),
                               .lending = quotaAt(quota, "lendingLimit")});
      }
    }
  }
  return out;
}

LocalQueue readLocalQueue(const Value& object) {
  auto out = json::identified<LocalQueue>(object);
  out.clusterQueue = stringAt(object, {"spec", "clusterQueue"});
  out.stopped = isStopped(object);
  return out;
}

ResourceFlavor readResourceFlavor(const Value& object) {
  auto out = json::identified<ResourceFlavor>(object);
  if (const auto* labels = at(object, {"spec", "nodeLabels"}); labels && labels->IsObject()) {
    for (const auto& [key, value] : labels->GetObject())
      if (value.IsString()) out.nodeLabels.emplace(key.GetString(), value.GetString());
  }
  if (const auto* tolerations = at(object, {"spec", "tolerations"}); tolerations && tolerations->IsArray())
    out.tolerations = manifest::toText(*tolerations);
  out.topology = stringAt(object, {"spec", "topologyName"});
  return out;
}

}  // namespace slaq::kube::queues
