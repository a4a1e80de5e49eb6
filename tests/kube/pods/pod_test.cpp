#include "kube/pods/pod.h"

#include <gmock/gmock.h>
#include <rapidjson/pointer.h>

#include "kube/pods/pod_cores.h"
#include "kube/support/json.h"
#include "support/quantities.h"

namespace slaq::kube::pods {
namespace {

struct Costly {
  const char* pod;
  std::int64_t thousandths;
};

TEST(PodCores, FollowTheSchedulersRule) {
  const Costly cases[] = {
      {"{}", 0},
      {"{'spec':{'containers':[{'resources':{'requests':{'cpu':'500m'}}},"
       "{'resources':{'requests':{'cpu':'1'}}},{}]}}",
       1500},
      {"{'spec':{'containers':[{'resources':{'limits':{'cpu':'2'}}}]}}", 2000},
      {"{'spec':{'containers':[{'resources':{'requests':{'cpu':'0'},'limits':{'cpu':'2'}}}]}}", 0},
      {"{'spec':{'containers':[{'resources':{'requests':{'memory':'1Gi'}}}]}}", 0},
      // The largest init container, where it is more.
      {"{'spec':{'initContainers':[{'resources':{'requests':{'cpu':'3'}}},"
       "{'resources':{'requests':{'cpu':'2'}}}],"
       "'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}",
       3000},
      // Sidecars run on, and before the init containers behind them.
      {"{'spec':{'initContainers':[{'restartPolicy':'Always','resources':{'requests':{'cpu':'500m'}}}],"
       "'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}",
       1500},
      {"{'spec':{'initContainers':[{'restartPolicy':'Always','resources':{'requests':{'cpu':'500m'}}},"
       "{'resources':{'requests':{'cpu':'2'}}}],'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}",
       2500},
      {"{'spec':{'overhead':{'cpu':'250m'},'containers':[{'resources':{'requests':{'cpu':'1'}}}]}}", 1250},
      {"{'spec':{'resources':{'requests':{'cpu':'4'}},'containers':[{'resources':{'requests':{'cpu':'1'}}}]}"
       "}",
       4000},
  };
  for (const auto& [pod, thousandths] : cases) {
    EXPECT_EQ(effectiveCores(jsonOf(pod), "cpu"), Cores(thousandths)) << pod;
  }
}

TEST(PodCores, CountAQuantityInEveryFormAndPlace) {
  const auto table = test::quantities();
  for (const auto& each : table.GetArray()) {
    if (each[1].IsNull()) continue;
    for (const char* place :
         {"/spec/containers/0/resources/requests/cpu", "/spec/containers/0/resources/limits/cpu",
          "/spec/initContainers/0/resources/requests/cpu", "/spec/overhead/cpu"}) {
      rapidjson::Document pod;
      rapidjson::Pointer(place).Set(pod, each[0]);
      EXPECT_EQ(effectiveCores(pod, "cpu"), Cores(each[1].GetInt64())) << pretty(pod);
    }
  }
}

TEST(PodCores, AreNeverMoreThanAnyClusterHas) {
  const auto pod = jsonOf(
      "{'spec':{'overhead':{'cpu':'1M'},'containers':[{'resources':{'requests':{'cpu':'1M'}}},"
      "{'resources':{'requests':{'cpu':'1M'}}}]}}");
  EXPECT_EQ(effectiveCores(pod, "cpu"), kMostCores);
}

TEST(PodCores, AreCountedInAnyUnit) {
  const auto pod = jsonOf("{'spec':{'containers':[{'resources':{'limits':{'nvidia.com/gpu':'2'}}}]}}");
  EXPECT_EQ(effectiveCores(pod, "nvidia.com/gpu"), Cores(2000));
  EXPECT_EQ(effectiveCores(pod, "cpu"), Cores());
}

std::string running(const std::string& asked, const std::string& allocated, const std::string& actual,
                    const std::string& conditions = "") {
  return "{'metadata':{'name':'w-0','namespace':'a','annotations':"
         "{'batch.kubernetes.io/"
         "job-completion-index':'3'},'ownerReferences':[{'controller':true,'uid':'j'}]},"
         "'spec':{'nodeName':'n','containers':[{'name':'main','resources':{'requests':{'cpu':'" +
         asked + "'}}}]},'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}" +
         conditions + "],'containerStatuses':[{'name':'main','allocatedResources':{'cpu':'" + allocated +
         "'},'resources':{'requests':{'cpu':'" + actual + "'}}}]}}";
}

TEST(OwnPods, HoldTheLargestOfAskedAllocatedAndActualWhileTheyAreResized) {
  struct {
    const char *asked, *allocated, *actual;
    std::int64_t held;
    bool settled;
  } const cases[] = {
      {"1", "1", "1", 1000, true},
      {"2", "1", "1", 2000, false},
      {"500m", "1", "1", 1000, false},
      {"500m", "500m", "501m", 500, true},  // the runtime rounds
  };
  for (const auto& each : cases) {
    const auto pod = readOwnPod(jsonOf(running(each.asked, each.allocated, each.actual)), "cpu");
    EXPECT_EQ(pod.cores, Cores(each.held)) << each.asked;
    EXPECT_EQ(pod.settled, each.settled) << each.asked;
  }
  const auto shrinking = readOwnPod(
      jsonOf(running("500m", "500m", "1", ",{'type':'PodResizeInProgress','status':'True'}")), "cpu");
  EXPECT_EQ(shrinking.cores, Cores(1000));
  EXPECT_FALSE(shrinking.settled);
}

TEST(OwnPods, SayWhoseTheyAreAndHowTheyDo) {
  const auto pod = readOwnPod(jsonOf(running("1", "1", "1")), "cpu");
  EXPECT_EQ(pod.key, (JobKey{"a", "w-0"}));
  EXPECT_EQ(pod.controller, "j");
  EXPECT_EQ(pod.node, "n");
  EXPECT_EQ(pod.index, 3);
  EXPECT_TRUE(pod.ready);
  EXPECT_FALSE(pod.obstacle || pod.fault || pod.resizePended);
  EXPECT_EQ(pod.containers, (std::vector<ContainerCpu>{{"main", Cores(1000), std::nullopt}}));
}

OwnPod withStatus(const std::string& status, const std::string& metadata = "'name':'w-0'") {
  return readOwnPod(jsonOf("{'metadata':{" + metadata + "},'status':{" + status + "}}"), "cpu");
}

TEST(OwnPods, SayWhatKeepsThemFromBeingReady) {
  struct {
    const char* status;
    const char* obstacle;
  } const cases[] = {
      {"'conditions':[{'type':'PodScheduled','status':'False','reason':'Unschedulable',"
       "'message':'0/1 nodes are available: 1 Insufficient cpu.'}]",
       "pod w-0 finds no node: 0/1 nodes are available: 1 Insufficient cpu."},
      {"'conditions':[{'type':'PodScheduled','status':'False','reason':'SchedulerError','message':'priority'}"
       "]",
       "pod w-0 finds no node: priority"},
      {"'conditions':[{'type':'PodScheduled','status':'False','reason':'SchedulingGated'}]", ""},
      {"'containerStatuses':[{'state':{'waiting':{'reason':'ContainerCreating'}}}]", ""},
      {"'containerStatuses':[{'image':'a:1','state':{'waiting':{'reason':'ImagePullBackOff'}}}]",
       "pod w-0 cannot start: the image a:1 cannot be pulled"},
      {"'containerStatuses':[{'image':'a:1','state':{'waiting':{'reason':'ImagePullBackOff','message':"
       "'Back-off pulling image a: ErrImagePull: no such host'}}}]",
       "pod w-0 cannot start: the image a:1 cannot be pulled: no such host"},
      {"'initContainerStatuses':[{'state':{'running':{}}},{'image':'b:1','state':{'waiting':{'reason':"
       "'ErrImagePull','message':'no host'}}}],"
       "'containerStatuses':[{'state':{'waiting':{'reason':'PodInitializing'}}}]",
       "pod w-0 cannot start: the image b:1 cannot be pulled: no host"},
      {"'containerStatuses':[{'state':{'waiting':{'reason':'CreateContainerConfigError',"
       "'message':'secret x not found'}}}]",
       "pod w-0 cannot start: CreateContainerConfigError: secret x not found"},
  };
  for (const auto& [status, obstacle] : cases) {
    EXPECT_EQ(withStatus(status).obstacle.value_or(""), obstacle) << status;
  }
}

TEST(OwnPods, OfAGroupWaitForTheOthersUntilTheSchedulerLooksAtThem) {
  const auto obstacleOf = [](const std::string& spec, const std::string& status) {
    return readOwnPod(jsonOf("{'metadata':{'name':'w-0'},'spec':{" + spec + "},'status':{" + status + "}}"),
                      "cpu")
        .obstacle.value_or("");
  };
  const std::string group = "'schedulingGroup':{'podGroupName':'g'}";
  EXPECT_EQ(obstacleOf(group, ""), "pod w-0 waits for the other pods of its PodGroup");
  EXPECT_EQ(obstacleOf(group + ",'nodeName':'n'", ""), "");
  EXPECT_EQ(obstacleOf(group, "'conditions':[{'type':'PodScheduled','status':'True'}]"), "");
  EXPECT_EQ(obstacleOf("", ""), "");
}

// `ends`: the states of the containers "t", "proxy" and of the initial "fetch", in this order.
OwnPod withContainers(const std::string& ports, const std::string& t, const std::string& proxy,
                      const std::string& conditions = "") {
  return readOwnPod(
      jsonOf("{'metadata':{'name':'w-0'},'spec':{'initContainers':[{'name':'fetch'}],'containers':[{'name':'"
             "t'},{'name':"
             "'proxy','ports':[{'name':'" +
             ports +
             "'}]}]},'status':{'phase':'Running','initContainerStatuses':[{'name':'fetch','state':"
             "{'terminated':{'exitCode':0}}}],'containerStatuses':[{'name':'proxy','state':{" +
             proxy + "}},{'name':'t','state':{" + t + "}}],'conditions':[" + conditions + "]}}"),
      "cpu");
}

TEST(OwnPods, EndWithTheirMainContainer) {
  const std::string running = "'running':{}";
  const auto ended = [](int code) { return "'terminated':{'exitCode':" + std::to_string(code) + "}"; };
  const auto hint = [](const std::string& main, const std::string& code, const std::string& sideCar) {
    return "container " + main + " of pod w-0 ended with exit code " + code + ", and " + sideCar +
           " goes on; declare " + sideCar +
           " under initContainers with restartPolicy: Always, so that it ends with it";
  };
  EXPECT_EQ(withContainers("envoy", ended(0), running).mainEnd, (ChiefEnd{true, hint("t", "0", "proxy")}));
  const auto failed = withContainers("envoy", ended(1), running);
  EXPECT_EQ(failed.mainEnd, (ChiefEnd{false, hint("t", "1", "proxy")}));
  EXPECT_EQ(failed.fault, hint("t", "1", "proxy"));
  EXPECT_FALSE(withContainers("metrics", ended(0), running).mainEnd) << "the main one has the metrics' port";
  EXPECT_EQ(withContainers("metrics", running, ended(0)).mainEnd, (ChiefEnd{true, hint("proxy", "0", "t")}));
  EXPECT_FALSE(withContainers("envoy", running, ended(0)).mainEnd);
  EXPECT_FALSE(withContainers("envoy", running, running).mainEnd);
  EXPECT_FALSE(withContainers("envoy", ended(0), ended(0)).mainEnd) << "the pod is about to end by itself";
  for (const int code : {0, 1, 143}) {
    const auto evicted =
        withContainers("envoy", ended(code), running, "{'type':'DisruptionTarget','status':'True'}");
    EXPECT_FALSE(evicted.mainEnd || evicted.fault) << code;
  }
}

TEST(OwnPods, SayInOneLineWhatOthersSay) {
  const auto pod =
      readOwnPod(parse(R"({"metadata":{"name":"w"},"status":{"phase":"Pending","containerStatuses":[)"
                       R"({"image":"a\n\u001b[31mb","state":{"waiting":{"reason":"ErrImagePull"}}}]}})"),
                 "cpu");
  EXPECT_EQ(pod.obstacle, "pod w cannot start: the image a\\x0a\\x1b[31mb cannot be pulled");
}

TEST(OwnPods, FailByTheirOwnDoingOrNot) {
  const std::string exit1 =
      "'phase':'Failed','containerStatuses':[{'state':{'terminated':{'exitCode':1,'reason':'Error'}}}]";
  EXPECT_EQ(withStatus(exit1).fault, "pod w-0 ended with exit code 1 (Error)");
  EXPECT_EQ(withStatus("'phase':'Failed','message':'deadline'").fault, "pod w-0 failed: deadline");
  EXPECT_TRUE(
      withStatus("'phase':'Failed','reason':'UnexpectedAdmissionError','message':'no devices'").killed)
      << "the kubelet let none of its containers begin";
  EXPECT_FALSE(withStatus(exit1).killed);
  const std::string exit137 =
      "'phase':'Failed','containerStatuses':[{'state':{'terminated':{'exitCode':137,'reason':'Error'}}}]";
  EXPECT_TRUE(withStatus(exit137).fault);
  EXPECT_TRUE(withStatus(exit137).killed);
  EXPECT_TRUE(withStatus(exit1).ended);
  // Evicted, told to stop, scaled away, succeeded.
  EXPECT_FALSE(withStatus(exit1 + ",'conditions':[{'type':'DisruptionTarget','status':'True'}]").fault);
  EXPECT_FALSE(
      withStatus("'phase':'Failed','containerStatuses':[{'state':{'terminated':{'exitCode':143}}}]").fault);
  EXPECT_FALSE(withStatus(exit1, "'deletionTimestamp':'2026-01-31T12:00:00Z'").fault);
  EXPECT_FALSE(withStatus("'phase':'Succeeded'").fault);
}

TEST(OwnPods, SayHowMuchMemoryWasTooLittle) {
  const auto fault = [](const std::string& resources) {
    const auto pod = readOwnPod(
        jsonOf("{'metadata':{'name':'w-0'},'spec':{'containers':[{'name':'main'" + resources +
               "}]},'status':{'phase':'Failed','containerStatuses':[{'name':'main','state':{'terminated':{"
               "'exitCode':137,'reason':'OOMKilled'}}}]}}"),
        "cpu");
    EXPECT_EQ(pod.killed, resources.empty());
    return pod.fault.value_or("");
  };
  EXPECT_EQ(
      fault(",'resources':{'limits':{'memory':'512Mi'}}"),
      "pod w-0 was killed for its memory (OOMKilled): container main used more than its limit of 512Mi; "
      "raise resources.limits.memory");
  EXPECT_THAT(fault(""),
              testing::HasSubstr("container main has no limit of memory, and its node had none left"));
}

TEST(OwnPods, SayWhyTheyAreNotResized) {
  const auto said = [](const char* condition) {
    return withStatus(std::string("'conditions':[") + condition + "]").resizePended.value_or("");
  };
  EXPECT_EQ(
      said("{'type':'PodResizePending','status':'True','reason':'Deferred','message':'the node is full'}"),
      "pod w-0 is not resized: Deferred: the node is full");
  EXPECT_EQ(said("{'type':'PodResizeInProgress','status':'True','reason':'Error','message':'no cgroup'}"),
            "pod w-0 is not resized: Error: no cgroup");
  EXPECT_EQ(said("{'type':'PodResizeInProgress','status':'True'}"), "");
}

TEST(OtherPods, WaitWhenNoNodeHasEnoughOfTheUnit) {
  const auto pod = [](const std::string& message) {
    return jsonOf(
        "{'spec':{'containers':[{'resources':{'requests':{'cpu':'2'}}}]},'status':{'conditions':[{"
        "'type':'PodScheduled','status':'False','reason':'Unschedulable','message':'" +
        message + "','lastTransitionTime':'2026-01-31T12:00:00Z'}]}}");
  };
  const auto waiting = readOtherPod(pod("0/3 nodes are available: 3 Insufficient cpu."), "cpu");
  EXPECT_EQ(waiting.waitingSince, *parseRfc3339("2026-01-31T12:00:00Z"));
  EXPECT_EQ(waiting.cores, Cores(2000));
  EXPECT_FALSE(readOtherPod(pod("3 node(s) had untolerated taints"), "cpu").waitingSince);
  EXPECT_FALSE(readOtherPod(pod("3 Insufficient cpu."), "nvidia.com/gpu").waitingSince);
}

TEST(OtherPods, HoldNothingOnceTheyEnded) {
  const auto pod = jsonOf(
      "{'spec':{'nodeName':'n','containers':[{'resources':{'requests':{'cpu':'2'}}}]},"
      "'status':{'phase':'Succeeded'}}");
  EXPECT_EQ(readOtherPod(pod, "cpu").cores, Cores());
}

}  // namespace
}  // namespace slaq::kube::pods
