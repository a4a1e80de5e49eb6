#include "cli/check/installation.h"

#include <algorithm>

#include "kube/json/json_fields.h"

namespace slaq::cli::check {
namespace {

using kube::json::at;
using kube::json::intAt;
using kube::json::stringAt;
using rapidjson::Value;

// The ConfigMap in the pods' volume "config".
std::string configMapOf(const Value& deployment) {
  const auto* volumes = at(deployment, {"spec", "template", "spec", "volumes"});
  if (!volumes) return "";
  for (const auto& volume : volumes->GetArray()) {
    if (stringAt(volume, {"name"}) == "config") return stringAt(volume, {"configMap", "name"});
  }
  return "";
}

std::string imageOf(const Value& deployment) {
  const auto* containers = at(deployment, {"spec", "template", "spec", "containers"});
  return containers && !containers->Empty() ? stringAt((*containers)[0], {"image"}) : "";
}

// Kubernetes gives a rollout ten minutes by default.
bool isStuck(const Value& deployment) {
  const auto* conditions = at(deployment, {"status", "conditions"});
  if (!conditions) return false;
  return std::ranges::any_of(conditions->GetArray(), [](const Value& each) {
    return stringAt(each, {"type"}) == "Progressing" && stringAt(each, {"status"}) == "False";
  });
}

// Returns 0 while the status of the Deployment is older than its specification.
int updatedOf(const Value& deployment) {
  const bool isSeen =
      intAt(deployment, {"status", "observedGeneration"}) >= intAt(deployment, {"metadata", "generation"});
  return isSeen ? intAt(deployment, {"status", "updatedReplicas"}) : 0;
}

Installation installationOf(const Value& deployment) {
  return {.ns = stringAt(deployment, {"metadata", "namespace"}),
          .name = stringAt(deployment, {"metadata", "name"}),
          .release = stringAt(deployment, {"metadata", "labels", "app.kubernetes.io/instance"}),
          .version = stringAt(deployment, {"metadata", "labels", "app.kubernetes.io/version"}),
          .image = imageOf(deployment),
          .configMap = configMapOf(deployment),
          .serviceAccount = stringAt(deployment, {"spec", "template", "spec", "serviceAccountName"}),
          .wanted = intAt(deployment, {"spec", "replicas"}),
          .ready = intAt(deployment, {"status", "readyReplicas"}),
          .updated = updatedOf(deployment),
          .stuck = isStuck(deployment)};
}

}  // namespace

Result<Installation> readInstallation(kube::client::Api& api, const WhichInstallation& which) {
  const std::string release = which.release.empty() ? "" : ",app.kubernetes.io/instance=" + which.release;
  const auto page =
      api.list({kube::client::kDeployments, which.ns}, {"app.kubernetes.io/name=slaq" + release}, "");
  if (!page) return failure(page.error());
  const auto items = at(page->document, {"items"})->GetArray();
  if (items.Empty()) {
    return failure(ErrorKind::NotFound,
                   "there is no Deployment with the label app.kubernetes.io/name=slaq in " +
                       (which.ns.empty() ? "any namespace" : "the namespace " + which.ns));
  }
  if (items.Size() == 1) return installationOf(items[0]);
  const auto first = installationOf(items[0]), second = installationOf(items[1]);
  return failure(ErrorKind::Invalid, "there is more than one, " + first.ns + "/" + first.name + " and " +
                                         second.ns + "/" + second.name +
                                         "; name the one that is meant with --namespace and --release");
}

Result<std::string> readConfigurationText(kube::client::Api& api, const Installation& installation) {
  const auto map = api.get({kube::client::kConfigMaps, installation.ns, installation.configMap});
  if (!map) return failure(map.error());
  return stringAt(*map, {"data", "config.yaml"});
}

}  // namespace slaq::cli::check
