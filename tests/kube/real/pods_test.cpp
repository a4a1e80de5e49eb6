// Pods and nodes on a real API server: resizes in place, and capacity that follows the nodes. There is no
// kubelet here, so what a node would do is left to the tests on the whole rig.
#include <gmock/gmock.h>

#include "kube/json/json_fields.h"
#include "kube/objects/names.h"
#include "kube/support/json.h"
#include "real_cluster.h"

namespace slaq::kube {
namespace {

using json::stringAt;

using testing::HasSubstr;

class RealResizeTest : public RealClusterTest {
 protected:
  void haveByCpu(int workers) {
    auto text = manifest("job");
    const std::string before = R"("minReplicas")";
    text.replace(text.find(before), before.size(),
                 quoted("'scaling':'CPU','cpu':{'min':'200m','max':'2'},'minReplicas'"));
    const auto made = post(text);
    ASSERT_EQ(made.status, 201) << made.body;
    ASSERT_TRUE(comesTo("job", [](const JobView&) { return true; }));
    const auto started = cluster().apply(StartJob{key("job"), Workers(workers), Cores(200)});
    ASSERT_TRUE(started) << started.error().message;
    ASSERT_TRUE(eventually([&] { return podsAre("200m", workers) && podsSeen() == workers; }));
  }

  std::string podsPath() const { return "/api/v1/namespaces/" + ns + "/pods"; }

  rapidjson::Document pods() {
    return parse(rig.call("GET", podsPath() + "?labelSelector=" +
                                     client::percentEncoded(objects::workerSelector("job")))
                     .body);
  }

  // How many of the pods the watch has brought.
  int podsSeen() {
    const auto& store = connection->store();
    const auto child = store.child(key("job"), see("job")->job.uid, objects::Role::Workers);
    return child ? static_cast<int>(store.podsOf(*child).size()) : 0;
  }

  bool podsAre(const std::string& cpu, int count) {
    int found = 0;
    const auto all = pods();
    for (const auto& each : all["items"].GetArray()) {
      const auto& main = each["spec"]["containers"][0];
      found += stringAt(main, {"resources", "requests", "cpu"}) == cpu ? 1 : 0;
    }
    return found == count;
  }
};

TEST_F(RealResizeTest, MovesTheCpuOfEveryPodInPlace) {
  haveByCpu(3);
  const std::string before = stringAt(pods()["items"][0], {"metadata", "uid"});
  for (const char* cpu : {"1500m", "333m"}) {
    const auto done = cluster().apply(ScaleCpu{key("job"), Cores(200), *parseCores(cpu)});
    ASSERT_TRUE(done) << done.error().message;
    EXPECT_TRUE(podsAre(cpu, 3)) << cpu;
    EXPECT_TRUE(comesTo("job", [&](const JobView& view) {
      return view.workers.cpu && view.workers.cpu->asked == *parseCores(cpu) &&
             view.workers.cpu->held == *parseCores(cpu) * Workers(3);
    }));
    const int patched = patches;
    ASSERT_TRUE(cluster().apply(ScaleCpu{key("job"), Cores(200), *parseCores(cpu)}));
    EXPECT_EQ(patches, patched);
  }
  EXPECT_EQ(stringAt(pods()["items"][0], {"metadata", "uid"}), before);
}

TEST_F(RealResizeTest, BringsAPodThatReplacedAnotherThereAgain) {
  haveByCpu(2);
  ASSERT_TRUE(cluster().apply(ScaleCpu{key("job"), Cores(200), Cores(1000)}));
  const std::string name = stringAt(pods()["items"][0], {"metadata", "name"});
  rig.call("DELETE", podsPath() + "/" + name + "?gracePeriodSeconds=0");
  ASSERT_TRUE(eventually([&] { return podsAre("200m", 1) && podsAre("1", 1); }));
  ASSERT_TRUE(eventually([&] {
    const auto done = cluster().apply(ScaleCpu{key("job"), Cores(1000), Cores(1000)});
    return done && podsAre("1", 2);
  }));
}

TEST_F(RealResizeTest, RefusesToResizeAPodOfAnotherIncarnation) {
  haveByCpu(1);
  const std::string name = stringAt(pods()["items"][0], {"metadata", "name"});
  const auto answer =
      rig.call("PATCH", podsPath() + "/" + name + "/resize", "application/strategic-merge-patch+json",
               quoted("{'metadata':{'uid':'another'},'spec':{'containers':[{'name':'main',"
                      "'resources':{'requests':{'cpu':'1'}}}]}}"));
  EXPECT_GE(answer.status, 400) << answer.body;
  EXPECT_TRUE(podsAre("200m", 1));
}

TEST_F(RealResizeTest, AResizeThatTheServerRefusesIsExplained) {
  haveByCpu(1);
  // A limit that came from elsewhere: no request may be above it.
  const std::string name = stringAt(pods()["items"][0], {"metadata", "name"});
  const auto limited =
      rig.call("PATCH", podsPath() + "/" + name + "/resize", "application/strategic-merge-patch+json",
               quoted("{'spec':{'containers':[{'name':'main','resources':{'limits':{'cpu':'500m'}}}]}}"));
  ASSERT_EQ(limited.status, 200) << limited.body;
  const auto done = cluster().apply(ScaleCpu{key("job"), Cores(200), Cores(1000)});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::Invalid);
  EXPECT_THAT(see("job")->workers.cpu->impossible.value_or(""), HasSubstr("cpu limit"));
}

class RealRoomTest : public RealClusterTest {
 protected:
  cluster::ConnectionOptions options() const override { return {.followNodes = true}; }

  void TearDown() override {
    if (!IsSkipped()) rig.call("DELETE", "/api/v1/nodes/" + ns);
  }

  // A node named as the namespace.
  void haveNode(const std::string& cpu) {
    const auto made = rig.call(
        "POST", "/api/v1/nodes", "application/json",
        quoted("{'metadata':{'name':'" + ns + "'},'status':{'allocatable':{'cpu':'" + cpu +
               "','pods':'10'},'capacity':{'cpu':'" + cpu +
               "','pods':'10'},'conditions':[{'type':'Ready','status':'True','reason':'Test','message':'',"
               "'lastHeartbeatTime':'" +
               toRfc3339(rig.clock().now()) + "','lastTransitionTime':'" + toRfc3339(rig.clock().now()) +
               "'}]}}"));
    ASSERT_EQ(made.status, 201) << made.body;
  }

  void havePod(const std::string& name, const std::string& cpu) {
    const std::string body = quoted("{'metadata':{'name':'" + name + "'},'spec':{'nodeName':'" + ns +
                                    "','tolerations':[{'operator':'Exists'}],'containers':[{'name':'main','"
                                    "image':'i','resources':{'requests':{'cpu':'" +
                                    cpu + "'}}}]}}");
    // The namespace's service account comes a moment after it.
    ASSERT_TRUE(eventually([&] {
      return rig.call("POST", "/api/v1/namespaces/" + ns + "/pods", "application/json", body).status == 201;
    }));
  }

  bool comesToHave(std::int64_t thousandths) {
    return eventually([&] {
      const auto view = cluster().observe();
      if (!view) return false;
      for (const auto& node : view->nodes) {
        if (node.name == ns) return node.free == Cores(thousandths);
      }
      return false;
    });
  }
};

TEST_F(RealRoomTest, FollowsNodesAndThePodsOfOthers) {
  haveNode("4");
  EXPECT_TRUE(comesToHave(4000));
  havePod("web", "1500m");
  EXPECT_TRUE(comesToHave(2500));
  rig.call("DELETE", "/api/v1/namespaces/" + ns + "/pods/web?gracePeriodSeconds=0");
  EXPECT_TRUE(comesToHave(4000));
  rig.call("PATCH", "/api/v1/nodes/" + ns, "application/merge-patch+json",
           R"({"spec":{"unschedulable":true}})");
  EXPECT_TRUE(comesToHave(0));
}

}  // namespace
}  // namespace slaq::kube
