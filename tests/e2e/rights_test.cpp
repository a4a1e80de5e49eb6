// The controller has the rights that it needs, and no others: what the chart's roles give is what `slaq
// check` asks for.
#include "cli/check/rights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "config/read_configuration.h"
#include "kube/json/json_fields.h"
#include "shell.h"
#include "yaml/read_yaml.h"

namespace slaq::e2e {
namespace {

using kube::json::at;
using kube::json::stringAt;
using rapidjson::Value;
using Words = std::set<std::string>;
using Documents = std::vector<yaml::LocatedDocument>;

std::vector<std::string> stringsAt(const Value& object, const char* key) {
  std::vector<std::string> out;
  if (const auto* list = at(object, {key})) {
    for (const auto& each : list->GetArray()) out.emplace_back(each.GetString());
  }
  return out;
}

bool is(const Value& object, const std::string& kind, const std::string& name) {
  return stringAt(object, {"kind"}) == kind && stringAt(object, {"metadata", "name"}) == name;
}

// What a rule gives in a namespace; empty: in all.
void addRule(const Value& rule, const std::string& ns, Words& words) {
  auto names = stringsAt(rule, "resourceNames");
  if (names.empty()) names.emplace_back();
  for (const auto& group : stringsAt(rule, "apiGroups")) {
    for (const auto& resource : stringsAt(rule, "resources")) {
      for (const auto& name : names) {
        for (const auto& verb : stringsAt(rule, "verbs"))
          words.insert(toString(cli::check::Right{ns, group, resource, name, verb}));
      }
    }
  }
}

// The rights of the service account slaq.
Words rightsIn(const Documents& documents) {
  Words words;
  for (const auto& [file, binding, lines] : documents) {
    const bool isCluster = stringAt(binding, {"kind"}) == "ClusterRoleBinding";
    if (!isCluster && stringAt(binding, {"kind"}) != "RoleBinding") continue;
    if (stringAt((*at(binding, {"subjects"}))[0], {"name"}) != "slaq") continue;
    const std::string ns = isCluster ? "" : stringAt(binding, {"metadata", "namespace"});
    const std::string role = stringAt(binding, {"roleRef", "name"});
    if (role == "system:auth-delegator") {
      words.insert("create tokenreviews.authentication.k8s.io");
      words.insert("create subjectaccessreviews.authorization.k8s.io");
    }
    for (const auto& each : documents) {
      if (!is(each.value, stringAt(binding, {"roleRef", "kind"}), role)) continue;
      for (const auto& rule : at(each.value, {"rules"})->GetArray()) addRule(rule, ns, words);
    }
  }
  return words;
}

class Rights : public ::testing::TestWithParam<const char*> {};

TEST_P(Rights, AreThoseThatAreNeededAndNoOthers) {
  const auto chart = shell("$(" SLAQ_SOURCE_DIR "/tests/rig/rig binaries)/helm template slaq " SLAQ_SOURCE_DIR
                           "/charts/slaq --kube-version 1.35.0 --namespace slaq-system --set "
                           "crd.install=false,dashboards.enabled=false," +
                           std::string(GetParam()));
  ASSERT_EQ(chart.code, 0) << chart.text;
  const auto documents = yaml::readYaml("chart", chart.text);
  ASSERT_TRUE(documents) << documents.error().message;
  std::string text;
  for (const auto& each : *documents) {
    if (is(each.value, "ConfigMap", "slaq")) text = stringAt(each.value, {"data", "config.yaml"});
  }
  const auto configuration = config::readConfiguration("config.yaml", text);
  ASSERT_TRUE(configuration) << configuration.error().message;
  Words needed;
  for (const auto& right : cli::check::neededRights(*configuration, "slaq-system"))
    needed.insert(toString(right));
  EXPECT_EQ(rightsIn(*documents), needed);
}

INSTANTIATE_TEST_SUITE_P(
    Values, Rights,
    ::testing::Values(
        "config.capacity.cores=4", "config.capacity.automatic=true",
        "config.capacity.cores=4,config.targets={Deployment\\,Job}",
        "config.capacity.cores=4,config.kueue.enabled=true",
        "config.capacity.cores=4,config.kueue.enabled=true,config.namespace=team-a",
        "config.capacity.cores=4,config.kueue.enabled=true,config.mode=Observe",
        "config.capacity.cores=4,config.targets={JobSet\\,LeaderWorkerSet\\,PyTorchJob\\,RayCluster\\,"
        "RayJob\\,StatefulSet}",
        "config.capacity.cores=4,config.targets={TrainJob}",
        "config.capacity.cores=4,config.targetKinds[0].apiVersion=example.com/v1,"
        "config.targetKinds[0].kind=Training,config.targetKinds[0].plural=trainings,"
        "config.targetKinds[0].specReplicasPath=/spec/replicas,"
        "config.targetKinds[0].readyReplicasPath=/status/readyReplicas,"
        "config.targetKinds[0].templatePath=/spec/template",
        "config.capacity.cores=4,config.targetKinds[0].apiVersion=example.com/v1,"
        "config.targetKinds[0].kind=Training,config.targetKinds[0].plural=trainings,"
        "config.targetKinds[0].specReplicasPath=/spec/replicas,config.targetKinds[0].scale=true,"
        "config.targetKinds[0].readyReplicasPath=/status/readyReplicas,"
        "config.targetKinds[0].templatePath=/spec/template",
        "config.capacity.cores=4,config.mode=Observe", "config.capacity.cores=4,config.namespace=team-a",
        "config.capacity.cores=4,replicas=1,config.leaderElection.enabled=false",
        "config.capacity.cores=4,config.leaderElection.namespace=team-a,config.leaderElection.name=other",
        "config.capacity.cores=4,metrics.tls.secret=tls,metrics.authorize=true"));

}  // namespace
}  // namespace slaq::e2e
