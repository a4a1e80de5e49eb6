#include "cli/check/installation.h"

#include "kube/json/json_fields.h"

namespace slaq::cli::check {
namespace {

using kube::json::at;
using kube::json::intAt;
using kube::json::stringAt;
using rapidjson::Value;

// The ConfigMap that the pods have in their volume "config".
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

}  // namespace

Result<Installation> readInstallation(kube::client::Api& api, const std::string& operatorNamespace) {
  const auto page =
      api.list({kube::client::kDeployments, operatorNamespace}, {"app.kubernetes.io/name=slaq"}, "");
  if (!page) return failure(page.error());
  const auto items = at(page->document, {"items"})->GetArray();
  if (items.Empty()) {
    return failure(ErrorKind::NotFound,
                   "there is no Deployment with the label app.kubernetes.io/name=slaq in " +
                       (operatorNamespace.empty() ? "any namespace" : "the namespace " + operatorNamespace));
  }
  if (items.Size() > 1) {
    return failure(ErrorKind::Invalid, "there is more than one, in " +
                                           stringAt(items[0], {"metadata", "namespace"}) + " and " +
                                           stringAt(items[1], {"metadata", "namespace"}) +
                                           "; name the one that is meant with --operator-namespace");
  }
  const Value& it = items[0];
  return Installation{.ns = stringAt(it, {"metadata", "namespace"}),
                      .name = stringAt(it, {"metadata", "name"}),
                      .version = stringAt(it, {"metadata", "labels", "app.kubernetes.io/version"}),
                      .image = imageOf(it),
                      .configMap = configMapOf(it),
                      .serviceAccount = stringAt(it, {"spec", "template", "spec", "serviceAccountName"}),
                      .wanted = intAt(it, {"spec", "replicas"}),
                      .ready = intAt(it, {"status", "readyReplicas"})};
}

Result<std::string> readConfigurationText(kube::client::Api& api, const Installation& installation) {
  const auto map = api.get({kube::client::kConfigMaps, installation.ns, installation.configMap});
  if (!map) return failure(map.error());
  return stringAt(*map, {"data", "config.yaml"});
}

}  // namespace slaq::cli::check
