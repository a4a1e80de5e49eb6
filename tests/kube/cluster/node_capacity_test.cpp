#include "kube/cluster/node_capacity.h"

#include <gmock/gmock.h>

#include "kube/support/json.h"

namespace slaq::kube::cluster {
namespace {

using testing::ElementsAre;

const Time kNow = *parseRfc3339("2026-01-31T12:00:10Z");

std::string node(const std::string& name, const std::string& cpu, const std::string& spec = "",
                 const std::string& ready = "True") {
  return "{'metadata':{'name':'" + name + "','uid':'" + name + "'},'spec':{" + spec +
         "},'status':{'allocatable':{'cpu':'" + cpu + "','nvidia.com/gpu':'8'}," +
         "'conditions':[{'type':'Ready','status':'" + ready + "'}]}}";
}

std::string pod(const std::string& name, const std::string& node, const std::string& cpu) {
  return "{'metadata':{'name':'" + name + "','namespace':'b','uid':'" + name + "'},'spec':{'nodeName':'" +
         node + "','containers':[{'resources':{'requests':{'cpu':'" + cpu + "'}}}]}}";
}

std::string pending(const std::string& name, const std::string& cpu, const std::string& since) {
  std::string text = pod(name, "", cpu);
  return text.substr(0, text.size() - 1) +
         ",'status':{'phase':'Pending','conditions':[{'type':'PodScheduled','status':'False',"
         "'reason':'Unschedulable','message':'Insufficient cpu','lastTransitionTime':'" +
         since + "'}]}}";
}

class RoomTest : public testing::Test {
 protected:
  void list(watch::ObjectSink& sink, const std::vector<std::string>& objects) {
    sink.beginList();
    for (const auto& each : objects) sink.upsert(jsonOf(each));
    sink.endList("1000000");
  }

  ClusterView see(const std::map<std::string, Cores>& own = {}) {
    ClusterView view;
    view.time = kNow;
    nodeCapacity.describe(view, own);
    return view;
  }

  NodeCapacity nodeCapacity{"cpu"};
};

TEST_F(RoomTest, IsKnownWhenNodesAndPodsWereListed) {
  EXPECT_FALSE(nodeCapacity.synced());
  list(nodeCapacity.nodes(), {});
  EXPECT_FALSE(nodeCapacity.synced());
  list(nodeCapacity.otherPods(), {});
  EXPECT_TRUE(nodeCapacity.synced());
}

TEST_F(RoomTest, IsWhatTheNodesHaveLessWhatOthersAskFor) {
  list(nodeCapacity.nodes(), {node("b", "4"), node("a", "8")});
  list(nodeCapacity.otherPods(), {pod("x", "a", "1500m"), pod("y", "a", "1"), pod("z", "gone", "3")});
  EXPECT_THAT(see().nodes, ElementsAre(NodeView{"a", Cores(5500)}, NodeView{"b", Cores(4000)}));
}

TEST_F(RoomTest, IsLessByPodsThatOnlyLookLikeOurs) {
  list(nodeCapacity.nodes(), {node("a", "8")});
  list(nodeCapacity.otherPods(), {pod("x", "a", "1")});
  ClusterView view;
  nodeCapacity.describe(view, {{"a", Cores(2000)}}, {{"a", Cores(3000)}});
  EXPECT_THAT(view.nodes, ElementsAre(NodeView{"a", Cores(4000)}));
}

TEST_F(RoomTest, IsNeverNegative) {
  list(nodeCapacity.nodes(), {node("a", "1")});
  list(nodeCapacity.otherPods(), {pod("x", "a", "2")});
  EXPECT_THAT(see().nodes, ElementsAre(NodeView{"a", Cores()}));
}

TEST_F(RoomTest, FollowsPodsThatComeAndGo) {
  list(nodeCapacity.nodes(), {node("a", "8")});
  list(nodeCapacity.otherPods(), {});
  nodeCapacity.otherPods().upsert(jsonOf(pod("x", "a", "4")));
  EXPECT_EQ(see().nodes.at(0).free, Cores(4000));
  nodeCapacity.otherPods().remove(jsonOf(pod("x", "a", "4")));
  EXPECT_EQ(see().nodes.at(0).free, Cores(8000));
}

TEST_F(RoomTest, OfANodeThatTakesNoPodsIsWhatOursHoldThere) {
  for (const auto& closed :
       {node("a", "8", "'unschedulable':true"), node("a", "8", "", "False"), node("a", "8", "", "Unknown"),
        node("a", "8", "'taints':[{'key':'dedicated','effect':'NoSchedule'}]"),
        node("a", "8", "'taints':[{'key':'broken','effect':'NoExecute'}]")}) {
    list(nodeCapacity.nodes(), {closed});
    EXPECT_EQ(see().nodes.at(0).free, Cores()) << closed;
    EXPECT_EQ(see({{"a", Cores(3000)}}).nodes.at(0).free, Cores(3000)) << closed;
  }
  list(nodeCapacity.nodes(), {node("a", "8", "'taints':[{'key':'soft','effect':'PreferNoSchedule'}]")});
  EXPECT_EQ(see().nodes.at(0).free, Cores(8000));
}

TEST_F(RoomTest, OfATaintCalledAsTheUnitIsOpenToThoseWhoAskForIt) {
  NodeCapacity gpus("nvidia.com/gpu");
  list(gpus.nodes(), {node("a", "8", "'taints':[{'key':'nvidia.com/gpu','effect':'NoSchedule'}]")});
  ClusterView view;
  gpus.describe(view, {});
  EXPECT_EQ(view.nodes.at(0).free, Cores(8000));
}

std::string labelled(std::string pod, const std::string& job) {
  const std::string metadata = "'metadata':{";
  return pod.insert(pod.find(metadata) + metadata.size(), "'labels':{'slaq.io/job':'" + job + "'},");
}

TEST_F(RoomTest, HasThePodsOfTargetsInIt) {
  list(nodeCapacity.nodes(), {node("a", "8"), node("closed", "8", "'unschedulable':true")});
  list(nodeCapacity.otherPods(),
       {labelled(pod("p1", "a", "1"), "resnet"), labelled(pod("p2", "closed", "2"), "resnet"),
        labelled(pending("p3", "1", "2026-01-31T12:00:00Z"), "resnet"),
        labelled(pod("p4", "a", "1"), "other"), labelled(pod("p5", "a", "1"), "own"), pod("p6", "a", "1")});
  ClusterView view;
  view.time = kNow;
  view.jobs.resize(3);
  view.jobs[0].job.key = {"b", "own"};
  view.jobs[1].job.key = {"b", "resnet"};
  view.jobs[2].job.key = {"c", "other"};  // a label is about its own namespace
  for (int i : {1, 2}) view.jobs[i].job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  nodeCapacity.describe(view, {});
  EXPECT_THAT(view.nodes, ElementsAre(NodeView{"a", Cores(5000)}, NodeView{"closed", Cores(2000)}));
  EXPECT_EQ(view.waiting, Cores());
  EXPECT_EQ(view.jobs[0].onNodes, std::nullopt);
  EXPECT_EQ(view.jobs[1].onNodes, Cores(3000));
  EXPECT_EQ(view.jobs[2].onNodes, Cores(0));
}

TEST_F(RoomTest, OthersWaitOnceTheyFoundNoNodeForAWhile) {
  list(nodeCapacity.nodes(), {node("a", "8")});
  list(nodeCapacity.otherPods(),
       {pending("long", "2", "2026-01-31T12:00:00Z"), pending("just", "1", "2026-01-31T12:00:09Z"),
        pending("never fits", "9", "2026-01-31T12:00:00Z")});
  EXPECT_EQ(see().waiting, Cores(2000));
}

}  // namespace
}  // namespace slaq::kube::cluster
