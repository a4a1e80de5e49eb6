// Jobs that scale by CPU, through the port Cluster.
#include <gmock/gmock.h>

#include "kube/support/cluster_fixture.h"

namespace slaq::kube::cluster {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class ResizeTest : public ClusterTest {
 protected:
  // A job of two workers of 500m that scales by CPU from 200m to 2.
  void haveByCpu(std::optional<Cores> cpu = {}, const std::string& text = "") {
    server.put(kJobPath, text.empty() ? byCpu() : text);
    relist();
    ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(2), cpu}));
    server.takeRequests();
  }

  static std::string byCpu(const std::string& workers = "") {
    return with(jobText(false), "\"minReplicas\"",
                quoted(workers + "'scaling':'CPU','cpu':{'min':'200m','max':'2'},'minReplicas'"));
  }
  static std::string with(std::string text, const std::string& before, const std::string& after) {
    return text.replace(text.find(before), before.size(), after);
  }

  // What the Job controller makes.
  void havePods(const std::vector<std::string>& names, const std::string& cpu = "500m") {
    for (const auto& name : names) {
      putPod(name, workersUid(), "0",
             "'spec':{'nodeName':'n','containers':[{'name':'main','resources':{'requests':{'cpu':'" + cpu +
                 "','memory':'1Gi'}}}]}");
    }
    relist();
  }

  // Of the pods whose names begin so.
  void refuseResizeOf(const std::string& pods) {
    server.before = [pods](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
      const bool ofThem = request.path.find("/pods/" + pods) != std::string::npos;
      if (!ofThem || !request.path.ends_with("/resize")) return std::nullopt;
      return refusal(422, "Invalid", "the QoS class may not change");
    };
  }

  CpuView cpu() { return only().workers.cpu.value_or(CpuView{}); }
};

std::string resizeOf(const std::string& pod, const std::string& cpu) {
  return "PATCH /api/v1/namespaces/team-a/pods/" + pod + "/resize " +
         quoted("{'metadata':{'uid':'uid-" + pod +
                "'},'spec':{'containers':[{'name':'main','resources':{'requests':{'cpu':'" + cpu + "'}}}]}}");
}

TEST_F(ResizeTest, AJobStartsWithTheCpuThatWasDecided) {
  haveByCpu(Cores(1500));
  EXPECT_THAT(server.at(kWorkersPath), HasSubstr(R"("slaq.io/worker-cpu":"1500m")"));
  EXPECT_THAT(server.at(kWorkersPath), HasSubstr(R"("requests":{"cpu":"1500m"})"));
  EXPECT_EQ(cpu().asked, Cores(1500));
  EXPECT_EQ(cpu().held, Cores(3000));  // its pods are still to come
}

TEST_F(ResizeTest, AJobThatScalesByReplicasHasNoCpuView) {
  haveRunning(2);
  EXPECT_FALSE(only().workers.cpu);
}

TEST_F(ResizeTest, ScalingTellsTheJobAndThenEachPod) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre(std::string("PATCH ") + kWorkersPath +
                              quoted(" {'metadata':{'uid':'made-2','resourceVersion':'103',"
                                     "'annotations':{'slaq.io/worker-cpu':'1500m'}}}"),
                          resizeOf("w-0", "1500m"), resizeOf("w-1", "1500m")));
  EXPECT_THAT(server.at(podPath("w-0")), HasSubstr(R"("memory":"1Gi")"));
  EXPECT_EQ(cpu().held, Cores(3000));
  EXPECT_TRUE(cpu().settled);
}

// Who forges one must neither have it resized nor say what the job's pods ask for.
TEST_F(ResizeTest, APodOfAnotherNamespaceIsLeftAlone) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  forgePod(
      "'spec':{'nodeName':'elsewhere','containers':[{'name':'main','resources':{'requests':{'cpu':'1m'}}}]}");
  EXPECT_EQ(store.coresByNode().strange["elsewhere"], Cores(1));
  refuseResizeOf("w-");
  EXPECT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_THAT(server.takeRequests(), testing::Not(testing::Contains(HasSubstr("forged"))));
  EXPECT_THAT(server.at(kWorkersPath), HasSubstr(R"("slaq.io/worker-cpu":"500m")"));
}

TEST_F(ResizeTest, WhatIsReachedIsNotAskedForAgain) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  server.takeRequests();
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ResizeTest, APodThatReplacedAnotherIsBroughtThereAgain) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  server.erase(podPath("w-1"));
  havePods({"w-1b"});
  EXPECT_FALSE(cpu().settled);
  server.takeRequests();
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(1500), Cores(1500)}));
  EXPECT_THAT(server.takeRequests(), ElementsAre(resizeOf("w-1b", "1500m")));
  EXPECT_TRUE(cpu().settled);
}

TEST_F(ResizeTest, PodsMayUseMoreUntilTheFirstLoss) {
  const auto text = with(byCpu(quoted("'start':{'cpu':4},")), quoted("'requests': {'cpu': '500m'}"),
                         quoted("'requests':{'cpu':'500m'},'limits':{'cpu':'500m'}"));
  haveByCpu(Cores(500), text);
  EXPECT_THAT(server.at(kWorkersPath), HasSubstr(R"("requests":{"cpu":"500m"},"limits":{"cpu":"4"})"));
  putPod("w-0", workersUid(), "0",
         "'spec':{'nodeName':'n','containers':[{'name':'main','resources':{'requests':{'cpu':'500m'},"
         "'limits':{'cpu':'4'}}}]}");
  relist();
  EXPECT_TRUE(cpu().settled);
  server.put(kJobPath, text.substr(0, text.rfind('}')) +
                           quoted(",'status':{'state':'Running','progress':{'iteration':3,'loss':'0.5'}}}"));
  relist();
  EXPECT_FALSE(cpu().settled);
  server.takeRequests();
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(500)}));
  EXPECT_THAT(server.takeRequests(),
              ElementsAre(HasSubstr(R"("requests":{"cpu":"500m"},"limits":{"cpu":"2"})")));
  EXPECT_TRUE(cpu().settled);
}

TEST_F(ResizeTest, AnAnswerLostAfterAResizeHasNoSecondEffect) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  bool lost = false;
  server.after = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.path.find("/resize") == std::string::npos || std::exchange(lost, true)) return std::nullopt;
    return Result<http::HttpResponse>(failure(ErrorKind::Transient, "the connection broke"));
  };
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_TRUE(cpu().settled);
}

TEST_F(ResizeTest, OnePodsRefusalDoesNotKeepTheOthersFromTheirs) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  refuseResizeOf("w-0");
  EXPECT_EQ(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}).error().kind, ErrorKind::Invalid);
  EXPECT_THAT(server.at(podPath("w-1")), HasSubstr("1500m"));
  EXPECT_EQ(cpu().impossible, "the QoS class may not change");
  clock.advance(Seconds(5));
  EXPECT_EQ(cpu().impossible, std::nullopt);  // worth another try
}

TEST_F(ResizeTest, WhatPodsAreRefusedIsNotKeptForThem) {
  for (const int status : {403, 404, 405, 422}) {
    haveByCpu();
    havePods({"w-0", "w-1"});
    server.before = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
      if (request.path.find("/resize") == std::string::npos) return std::nullopt;
      return refusal(status, "", "no");
    };
    ASSERT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
    EXPECT_EQ(cpu().asked, Cores(500)) << status;
    EXPECT_EQ(cpu().held, Cores(1000)) << status;
    server.before = nullptr;
    server.erase(kWorkersPath);
    relist();
  }
}

TEST_F(ResizeTest, WhatSomePodsAreRefusedIsKeptForThoseThatGotIt) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  refuseResizeOf("w-0");
  ASSERT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_EQ(cpu().held, Cores(500 + 1500));
}

TEST_F(ResizeTest, AStartWithMoreThanPodsCanGetFallsBackToWhatTheyHave) {
  haveByCpu(Cores(500));
  ASSERT_TRUE(cluster.apply(SuspendJob{kKey}));
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(1), Cores(1500)}));
  havePods({"w-0"});
  refuseResizeOf("w-0");
  ASSERT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(1500), Cores(1500)}));
  EXPECT_EQ(cpu().held, Cores(500));
}

TEST_F(ResizeTest, ARefusedShrinkKeepsWhatIsHeld) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  refuseResizeOf("w-");
  ASSERT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(200)}));
  EXPECT_EQ(cpu().asked, Cores(500));
  EXPECT_EQ(cpu().held, Cores(1000));
}

TEST_F(ResizeTest, ASilentServerLeavesTheGoalAsItIs) {
  haveByCpu();
  havePods({"w-0"});
  server.before = [](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
    if (request.path.find("/resize") == std::string::npos) return std::nullopt;
    return Result<http::HttpResponse>(failure(ErrorKind::Transient, "the connection broke"));
  };
  ASSERT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_EQ(cpu().asked, Cores(1500));
}

TEST_F(ResizeTest, APodThatIsGoneIsNoError) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  server.erase(podPath("w-0"));
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_THAT(server.at(podPath("w-1")), HasSubstr("1500m"));
}

TEST_F(ResizeTest, AServerThatKnowsNoResizeIsSaid) {
  for (const int status : {404, 405}) {
    haveByCpu();
    havePods({"w-0"});
    server.before = [&](const http::HttpRequest& request) -> std::optional<Result<http::HttpResponse>> {
      if (request.path.find("/resize") == std::string::npos) return std::nullopt;
      return refusal(status, "", "the server could not find the requested resource");
    };
    ASSERT_FALSE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
    EXPECT_TRUE(cpu().impossible) << status;
    server.before = nullptr;
    server.erase(kWorkersPath);
    relist();
  }
}

TEST_F(ResizeTest, PodsThatAreOverAreLeftAlone) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  editElsewhere(podPath("w-0").c_str(), "{'status':{'phase':'Failed'}}");
  editElsewhere(podPath("w-1").c_str(), "{'metadata':{'deletionTimestamp':'2026-01-31T12:00:00Z'}}");
  relist();
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  EXPECT_EQ(server.takeWrites().size(), 1u);
}

TEST_F(ResizeTest, NothingIsResizedWithoutTheLease) {
  haveByCpu();
  havePods({"w-0"});
  leading = false;
  EXPECT_EQ(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}).error().kind, ErrorKind::Conflict);
  EXPECT_THAT(server.takeRequests(), IsEmpty());
}

TEST_F(ResizeTest, PodsOnTheirWayOutKeepWhatTheyWereResizedTo) {
  haveByCpu();
  havePods({"w-0", "w-1"});
  ASSERT_TRUE(cluster.apply(ScaleCpu{kKey, Cores(500), Cores(1500)}));
  ASSERT_TRUE(cluster.apply(SuspendJob{kKey}));
  EXPECT_EQ(cpu().held, Cores(3000));
  editElsewhere(podPath("w-0").c_str(), "{'metadata':{'deletionTimestamp':'2026-01-31T12:00:00Z'}}");
  editElsewhere(podPath("w-1").c_str(), "{'status':{'phase':'Failed'}}");
  relist();
  EXPECT_EQ(cpu().held, Cores(1500));
  editElsewhere(podPath("w-0").c_str(), "{'status':{'phase':'Failed'}}");
  relist();
  EXPECT_FALSE(only().workers.cpu);
}

TEST_F(ResizeTest, AJobStartedAgainAfterASuspensionIsToldItsCpu) {
  haveByCpu(Cores(500));
  ASSERT_TRUE(cluster.apply(SuspendJob{kKey}));
  EXPECT_FALSE(only().workers.cpu);
  server.takeRequests();
  ASSERT_TRUE(cluster.apply(StartJob{kKey, Workers(2), Cores(1500)}));
  EXPECT_EQ(server.takeWrites().size(), 1u);
  EXPECT_EQ(cpu().asked, Cores(1500));
}

}  // namespace
}  // namespace slaq::kube::cluster
