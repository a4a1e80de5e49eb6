// What the editor of one namespace tries against the cluster and against others, with a kubeconfig of their
// own (docs/threat-model.md).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;

class Tenant : public EndToEnd {
 protected:
  void SetUp() override {
    EndToEnd::SetUp();
    cluster().kubectl("create namespace " + other_);
    cluster().kubectl("-n " + other_ + " create serviceaccount editor");
    cluster().kubectl("-n " + other_ +
                      " create rolebinding editor --clusterrole=edit --serviceaccount=" + other_ + ":editor");
    std::ofstream(kubeconfig_) << kubeconfig();
  }
  void TearDown() override {
    cluster().kubectl("delete namespace " + other_ + " --wait=true");
    EndToEnd::TearDown();
    std::filesystem::remove(kubeconfig_);
  }

  // Whether the tenant may do that: "patch", "slaq.io", "trainingjobs/status", a namespace.
  std::string may(const std::string& verb, const std::string& group, const std::string& resource,
                  const std::string& ns) const {
    const auto slash = resource.find('/');
    const std::string subresource = slash == std::string::npos ? "" : resource.substr(slash + 1);
    return asTenant("create --validate=false -f - -o jsonpath={.status.allowed}",
                    "{apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: "
                    "{resourceAttributes: {verb: " +
                        verb + ", group: '" + group + "', resource: " + resource.substr(0, slash) +
                        ", subresource: '" + subresource + "', namespace: " + ns + "}}}");
  }

  std::string asTenant(const std::string& arguments, const std::string& input) const {
    return cluster().kubectl("-n " + other_ + " --kubeconfig=" + kubeconfig_ + " " + arguments, input);
  }

  std::string valueOfTenant(const std::string& object, const std::string& path) const {
    return asTenant("get " + object + " -o jsonpath='" + path + "' --ignore-not-found", "");
  }

  const std::string other_ = "e2e-tenant";

 private:
  std::string kubeconfig() const {
    const auto config = [&](const std::string& path) {
      return cluster().kubectl("config view --raw --minify -o jsonpath='{.clusters[0].cluster." + path +
                               "}'");
    };
    return "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, "
           "user: "
           "u}}]\nclusters: [{name: c, cluster: {server: '" +
           config("server") + "', " + authority() + "}}]\nusers: [{name: u, user: {token: '" +
           cluster().kubectl("-n " + other_ + " create token editor") + "'}}]\n";
  }
  std::string authority() const {
    for (const std::string key : {"certificate-authority", "certificate-authority-data"}) {
      const auto found =
          cluster().kubectl("config view --raw --minify -o jsonpath='{.clusters[0].cluster." + key + "}'");
      if (!found.empty()) return key + ": '" + found + "'";
    }
    return "insecure-skip-tls-verify: true";
  }

  const std::string kubeconfig_ = ::testing::TempDir() + "slaq-tenant-kubeconfig";
};

TEST_F(Tenant, MayWriteTrainingJobsOfTheirOwnAndNothingBesides) {
  EXPECT_EQ(may("create", "slaq.io", "trainingjobs", other_), "true");
  EXPECT_EQ(may("patch", "slaq.io", "trainingjobs/scale", other_), "true");
  EXPECT_NE(may("patch", "slaq.io", "trainingjobs/status", other_), "true");
  EXPECT_NE(may("get", "slaq.io", "trainingjobs", cluster().ns), "true");
  EXPECT_NE(may("patch", "coordination.k8s.io", "leases", "slaq-system"), "true");
  EXPECT_NE(may("patch", "", "configmaps", "slaq-system"), "true");
}

// Pods and Jobs that say that they are another's, or that they ask for all cores there are.
TEST_F(Tenant, HoldsNobodyUpByPretendingToBeThem) {
  apply(learnsLong("victim", 1000000));
  ASSERT_TRUE(cluster().eventually("it runs", [&] { return status("victim", "state") == "Running"; }));
  const std::string uid = cluster().value("trainingjob/victim", "{.metadata.uid}");
  const std::string pods = cluster().kubectl("get pods -l slaq.io/role=driver -o name");
  const std::string owner =
      "ownerReferences: [{apiVersion: slaq.io/v1alpha1, kind: TrainingJob, name: victim, uid: " + uid +
      ", controller: true}]";
  const std::string labels =
      "labels: {slaq.io/job: victim, slaq.io/role: worker, slaq.io/job-uid: " + uid + "}";
  const std::string container =
      "[{name: main, image: slaq-trainer:latest, command: [sleep, '1000'], resources: {requests: {cpu: "
      "'900000'}}, securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: "
      "{drop: "
      "[ALL]}, seccompProfile: {type: RuntimeDefault}}}]";
  asTenant("create -f -", "{apiVersion: v1, kind: Pod, metadata: {name: a, " + labels + ", " + owner +
                              "}, spec: {containers: " + container + "}}");
  asTenant("create -f -",
           "{apiVersion: v1, kind: Pod, metadata: {name: b, labels: {slaq.io/job: none, "
           "slaq.io/role: worker, slaq.io/job-uid: none}}, spec: {containers: " +
               container + "}}");
  asTenant("create -f -",
           "{apiVersion: batch/v1, kind: Job, metadata: {name: victim-workers, " + labels + ", " + owner +
               "}, spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: " + container +
               "}}}}");
  apply(learnsLong("newcomer", 1000000));
  EXPECT_TRUE(
      cluster().eventually("a newcomer starts", [&] { return status("newcomer", "state") == "Running"; }));
  EXPECT_EQ(status("victim", "state"), "Running");
  EXPECT_THAT(cluster().kubectl("get pods -l slaq.io/role=driver -o name"), HasSubstr(pods));
}

TEST_F(Tenant, ReadsNothingOfOthersByNamesAndQueries) {
  auto job = learnsLong("prying", 1000000);
  const auto withLoss = [&](const std::string& loss) {
    auto text = job;
    return text.replace(text.find("spec:\n  workers"), 15, "spec:\n  loss: " + loss + "\n  workers");
  };
  asTenant("apply -f -", withLoss("{query: 'up', iterationQuery: 'up'}"));
  EXPECT_TRUE(cluster().eventually("queries are refused", [&] {
    return valueOfTenant("trainingjob/prying",
                         "{.status.conditions[?(@.type==\"MetricsAvailable\")].message}")
               .find("allowed") != std::string::npos;
  }));
  const auto refused = cluster().kubectl(
      "-n " + other_ + " apply --dry-run=server -f - 2>&1 || true",
      withLoss("{metric: 'x\"} or up{job=~\".+', iterationMetric: slaq_training_iterations_total}"));
  EXPECT_THAT(refused, HasSubstr("spec.loss.metric"));
}

}  // namespace
}  // namespace slaq::e2e
