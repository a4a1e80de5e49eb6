#include "kube/targets/targets.h"

#include <gmock/gmock.h>

#include "kube/support/fake_server.h"
#include "kube/support/json.h"

namespace slaq::kube::targets {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr const char* kTemplate =
    "'template':{'spec':{'containers':[{'name':'main','image':'train:1','resources':{'requests':{'cpu':'500m'"
    "}}}]}}";

std::string deployment(int replicas, int version, const std::string& manager = "kubectl") {
  return "{'metadata':{'name':'train','namespace':'a','uid':'u1','resourceVersion':'" +
         std::to_string(version) +
         "','managedFields':[{'manager':'kcm','subresource':'status','fieldsV1':{'f:status':{}}},{'manager':'"
         "helm',"
         "'fieldsV1':{'f:spec':{'f:template':{}}}},{'manager':'" +
         manager + "','subresource':'scale','fieldsV1':{'f:spec':{'f:replicas':{}}}}]},'spec':{'replicas':" +
         std::to_string(replicas) + "," + kTemplate + "},'status':{'replicas':2,'readyReplicas':1}}";
}

std::string job(const std::string& spec, const std::string& status = "") {
  return std::string(
             "{'metadata':{'name':'train','namespace':'a','uid':'u2','resourceVersion':'5'},'spec':{") +
         spec + "," + kTemplate + "},'status':{" + status + "}}";
}

class TargetsTest : public testing::Test {
 protected:
  void list(std::size_t kind, const std::vector<std::string>& objects) {
    auto& sink = *targets.watched()[kind].sink;
    sink.beginList();
    for (const auto& each : objects) sink.upsert(jsonOf(each));
    sink.endList("100");
  }

  // The view of a job that names this target.
  JobView describe(const std::string& kind, const std::string& apiVersion = "apps/v1") {
    ClusterView view;
    view.jobs.push_back(viewOf("j", kind, apiVersion));
    targets.describe(view);
    return view.jobs.front();
  }

  static JobView viewOf(const std::string& name, const std::string& kind, const std::string& apiVersion) {
    JobView view;
    view.job.key = {"a", name};
    view.job.generation = 1;
    view.job.spec.workers.target = TargetRef{apiVersion, kind, "train"};
    return view;
  }

  Targets targets{{"Deployment", "Job"}, "cpu"};
};

TEST_F(TargetsTest, ShowTheSizeAndThePodsOfADeployment) {
  list(0, {deployment(3, 10)});
  const auto view = describe("Deployment");
  EXPECT_EQ(view.refusal, std::nullopt);
  EXPECT_TRUE(runs(view.workers));
  EXPECT_EQ(view.workers.desired, Workers(3));
  EXPECT_EQ(view.workers.active, Workers(2));
  EXPECT_EQ(view.workers.ready, Workers(1));
  EXPECT_EQ(coresOf(view.job.spec.workers.pod), Cores(500));
}

TEST_F(TargetsTest, ShowTheEndOfAJob) {
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':2",
               "'conditions':[{'type':'Complete','status':'True'}]")});
  EXPECT_TRUE(describe("Job", "batch/v1").workers.succeeded);
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':2",
               "'conditions':[{'type':'Failed','status':'True','message':'too often'}]")});
  EXPECT_THAT(describe("Job", "batch/v1").workers.failed, Optional(std::string("too often")));
}

TEST_F(TargetsTest, SayWhyAnObjectCannotBeSized) {
  EXPECT_THAT(describe("Deployment").refusal, Optional(HasSubstr("no list of deployments has come yet")));
  list(0, {});
  EXPECT_THAT(describe("Deployment").refusal, Optional(std::string("there is no Deployment a/train")));
  EXPECT_THAT(describe("StatefulSet").refusal, Optional(HasSubstr("does not allow (config.targets)")));
  EXPECT_THAT(describe("Deployment", "apps/v2").refusal, Optional(HasSubstr("does not allow")));
  list(0, {deployment(0, 11)});
  EXPECT_THAT(describe("Deployment").refusal,
              Optional(HasSubstr("has no workers, and slaq does not start it")));
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':2,'suspend':true")});
  EXPECT_THAT(describe("Job", "batch/v1").refusal, Optional(HasSubstr("is suspended")));
  list(1, {job("'completionMode':'Indexed','parallelism':2,'completions':9")});
  EXPECT_THAT(describe("Job", "batch/v1").refusal, Optional(HasSubstr("has to be an Indexed Job")));
}

TEST_F(TargetsTest, AreSizedByOneTrainingJobAlone) {
  list(0, {deployment(3, 10)});
  ClusterView view;
  for (const char* name : {"first", "second"}) view.jobs.push_back(viewOf(name, "Deployment", "apps/v1"));
  targets.describe(view);
  EXPECT_EQ(view.jobs[0].refusal, std::nullopt);
  EXPECT_THAT(view.jobs[1].refusal,
              Optional(std::string("TrainingJob a/first sizes Deployment a/train already")));
}

TEST_F(TargetsTest, AreSizedByOnePatchOfWhatWasRead) {
  const Target target = readTarget(jsonOf(deployment(3, 10)), *targetKind("Deployment"), "cpu");
  EXPECT_EQ(sizePatch(target, *targetKind("Deployment"), Workers(5)),
            quoted("{'metadata':{'uid':'u1','resourceVersion':'10'},'spec':{'replicas':5}}"));
  const Target indexed = readTarget(jsonOf(job("'parallelism':2")), *targetKind("Job"), "cpu");
  EXPECT_EQ(
      sizePatch(indexed, *targetKind("Job"), Workers(5)),
      quoted("{'metadata':{'uid':'u2','resourceVersion':'5'},'spec':{'parallelism':5,'completions':5}}"));
}

TEST_F(TargetsTest, AreLeftAloneOnceSomebodyElseSizesThemAgainAndAgain) {
  FakeServer server;
  client::Api api(server);
  list(0, {deployment(3, 10)});
  auto view = viewOf("j", "Deployment", "apps/v1");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(describe("Deployment").refusal, std::nullopt) << i;
    // The server is not asked to answer: that a change was wanted is what counts.
    static_cast<void>(targets.scale(api, view.job, Workers(8)));
    targets.watched()[0].sink->upsert(jsonOf(deployment(8, 11 + 2 * i)));
    targets.watched()[0].sink->upsert(jsonOf(deployment(2, 12 + 2 * i, "autoscaler")));
  }
  EXPECT_THAT(describe("Deployment").refusal,
              Optional(HasSubstr("autoscaler sizes Deployment a/train too; slaq leaves it alone until")));
  ClusterView changed;
  view.job.generation = 2;
  changed.jobs.push_back(view);
  targets.describe(changed);
  EXPECT_EQ(changed.jobs.front().refusal, std::nullopt);
}

}  // namespace
}  // namespace slaq::kube::targets
