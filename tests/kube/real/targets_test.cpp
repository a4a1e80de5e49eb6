// Objects that TrainingJobs name, on a real API server: their size changes, and nothing else.
#include <gmock/gmock.h>

#include "kube/json/json_fields.h"
#include "kube/support/json.h"
#include "manifest/object_writer.h"
#include "real_cluster.h"

namespace slaq::kube {
namespace {

using json::intAt;

class RealTargetsTest : public RealClusterTest {
 protected:
  cluster::ConnectionOptions options() const override {
    return {.ns = ns, .targets = {*targetKind("Deployment"), *targetKind("Job"), *targetKind("StatefulSet")}};
  }

  // An object with two workers, and a TrainingJob that names it.
  void have(const std::string& path, const std::string& apiVersion, const std::string& kind,
            const std::string& spec) {
    const std::string labels = "{'app':'" + kind + "'}";
    const auto made = rig.call(
        "POST", path, "application/json",
        quoted(
            "{'metadata':{'name':'train'},'spec':{" + spec + ",'template':{'metadata':{'labels':" + labels +
            "},'spec':{'restartPolicy':'" + (kind == "Job" ? "Never" : "Always") +
            "','containers':[{'name':'main','image':'train:1','resources':{'requests':{'cpu':'1'}}}]}}}}"));
    ASSERT_EQ(made.status, 201) << made.body;
    const auto named =
        post(quoted("{'apiVersion':'slaq.io/v1alpha1','kind':'TrainingJob','metadata':{'name':'" +
                    name(kind) + "'},'spec':{'workers':{'maxReplicas':8,'targetRef':{'apiVersion':'" +
                    apiVersion + "','kind':'" + kind + "','name':'train'}}}}"));
    ASSERT_EQ(named.status, 201) << named.body;
    ASSERT_TRUE(comesTo(
        name(kind), [](const JobView& view) { return !view.refusal && view.workers.desired == Workers(2); }));
  }

  static std::string name(std::string kind) {
    std::ranges::transform(kind, kind.begin(), [](unsigned char c) { return std::tolower(c); });
    return kind;
  }

  // Gives the object another size; its specification before and afterwards.
  std::pair<rapidjson::Document, rapidjson::Document> scale(const std::string& path,
                                                            const std::string& kind) {
    auto before = parse(rig.call("GET", path + "/train").body);
    // Its controller writes statuses meanwhile; then the next epoch tries again.
    EXPECT_TRUE(eventually([&] {
      return cluster().apply(ScaleWorkers{key(name(kind)), Workers(2), Workers(5)}).has_value();
    }));
    EXPECT_EQ(see(name(kind))->workers.desired, Workers(5));
    return {std::move(before), parse(rig.call("GET", path + "/train").body)};
  }

  // The specification without what is at these keys.
  static std::string specBut(rapidjson::Document& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys) object["spec"].RemoveMember(key);
    return manifest::toText(object["spec"]);
  }

  std::string apps(const std::string& plural) const {
    return "/apis/apps/v1/namespaces/" + ns + "/" + plural;
  }
  std::string jobs() const { return "/apis/batch/v1/namespaces/" + ns + "/jobs"; }
};

TEST_F(RealTargetsTest, DeploymentsAndStatefulSetsAreSizedByTheirScale) {
  for (const auto& [kind, plural] :
       {std::pair("Deployment", "deployments"), {"StatefulSet", "statefulsets"}}) {
    have(apps(plural), "apps/v1", kind,
         std::string("'replicas':2,'selector':{'matchLabels':{'app':'") + kind + "'}}" +
             (plural == std::string("statefulsets") ? ",'serviceName':'train'" : ""));
    auto [before, after] = scale(apps(plural), kind);
    EXPECT_EQ(intAt(after, {"spec", "replicas"}), 5);
    EXPECT_EQ(specBut(before, {"replicas"}), specBut(after, {"replicas"}));
  }
}

TEST_F(RealTargetsTest, AnIndexedJobIsSizedInBothOfItsFields) {
  have(jobs(), "batch/v1", "Job", "'completionMode':'Indexed','parallelism':2,'completions':2");
  auto [before, after] = scale(jobs(), "Job");
  EXPECT_EQ(intAt(after, {"spec", "parallelism"}), 5);
  EXPECT_EQ(intAt(after, {"spec", "completions"}), 5);
  EXPECT_EQ(specBut(before, {"parallelism", "completions"}), specBut(after, {"parallelism", "completions"}));
}

TEST_F(RealTargetsTest, WhatNeedsPodsOfSlaqsOwnIsRefused) {
  const auto refused = [&](const std::string& more) {
    return post(quoted(
        "{'apiVersion':'slaq.io/v1alpha1','kind':'TrainingJob','metadata':{'name':'job'},'spec':{'workers':"
        "{'maxReplicas':8,'targetRef':{'apiVersion':'apps/v1','kind':'Deployment','name':'a'}}," +
        more + "}}"));
  };
  const std::string why = "can't be given with workers.targetRef";
  EXPECT_THAT(refused("'stop':{'patience':3}").body, testing::HasSubstr(why));
  EXPECT_THAT(refused("'loss':{'from':{'output':{}}}").body, testing::HasSubstr(why));
  EXPECT_THAT(
      refused("'driver':{'template':{'spec':{'containers':[{'name':'a','image':'a','resources':{'requests':"
              "{'cpu':'1'}}}]}}}")
          .body,
      testing::HasSubstr(why));
}

TEST_F(RealTargetsTest, NothingElseIsDoneToThem) {
  have(apps("deployments"), "apps/v1", "Deployment",
       "'replicas':2,'selector':{'matchLabels':{'app':'Deployment'}}");
  const auto path = apps("deployments") + "/train";
  const auto before = parse(rig.call("GET", path).body);
  EXPECT_FALSE(cluster().apply(StartJob{key("deployment"), Workers(2), {}}));
  EXPECT_TRUE(cluster().apply(SuspendJob{key("deployment")}));
  EXPECT_TRUE(cluster().apply(FinishJob{key("deployment")}));
  EXPECT_TRUE(cluster().apply(DeleteJob{key("deployment")}));
  EXPECT_TRUE(eventually([&] { return !see("deployment"); }));
  const auto after = parse(rig.call("GET", path).body);
  EXPECT_EQ(manifest::toText(before["spec"]), manifest::toText(after["spec"]));
  EXPECT_EQ(parse(rig.call("GET", jobs()).body)["items"].Size(), 0u);
}

// A change that was decided on another state of the object is not made.
TEST_F(RealTargetsTest, AChangeMeanwhileIsNotOverwritten) {
  have(apps("deployments"), "apps/v1", "Deployment",
       "'replicas':2,'selector':{'matchLabels':{'app':'Deployment'}}");
  targets::Targets late({*targetKind("Deployment")}, "cpu");
  auto& sink = *late.watched().front().sink;
  sink.beginList();
  sink.upsert(parse(rig.call("GET", apps("deployments") + "/train").body));
  sink.endList("1");
  rig.call("PATCH", apps("deployments") + "/train", "application/merge-patch+json",
           R"({"spec":{"replicas":3}})");
  EXPECT_EQ(late.scale(rig.api(), see("deployment")->job, Workers(5)).error().kind, ErrorKind::Conflict);
}

}  // namespace
}  // namespace slaq::kube
