#include "kube/pods/worker_cpu.h"

#include <gmock/gmock.h>

#include <random>

#include "kube/support/json.h"

namespace slaq::kube::pods {
namespace {

Container container(const char* name, std::optional<int> request, std::optional<int> limit) {
  Container out;
  out.name = name;
  if (request) out.request = Cores(*request);
  if (limit) out.limit = Cores(*limit);
  return out;
}

PodTemplate pod(std::vector<Container> containers) { return {std::move(containers), ""}; }

using Goals = std::vector<ContainerCpu>;

WorkersSpec workers(std::vector<Container> containers, CpuCeiling ceiling, Cores max = Cores(4000)) {
  WorkersSpec out;
  out.scaling = Scaling::CPU;
  out.cpu = {Cores(100), max, ceiling};
  out.pod = pod(std::move(containers));
  return out;
}

Goals hard(std::vector<Container> containers, Cores cores) {
  return spread(workers(std::move(containers), CpuCeiling::Hard), cores, false);
}

Goals soft(std::vector<Container> containers, Cores cores) {
  return spread(workers(std::move(containers), CpuCeiling::Soft), cores, false);
}

TEST(WorkerCpu, MovesRequestsAndLeavesLimitsAtTheMost) {
  EXPECT_EQ(soft({container("main", 500, 500)}, Cores(1500)), (Goals{{"main", Cores(1500), Cores(4000)}}));
  EXPECT_EQ(soft({container("main", 500, 500)}, Cores(200)), (Goals{{"main", Cores(200), Cores(4000)}}));
  EXPECT_EQ(soft({container("main", 100, 6000)}, Cores(200)), (Goals{{"main", Cores(200), Cores(6000)}}))
      << "who wants a larger limit has it";
  EXPECT_EQ(soft({container("main", 500, {})}, Cores(1500)), (Goals{{"main", Cores(1500), {}}}))
      << "who wants no limit gets none";
  EXPECT_EQ(soft({container("a", 300, 300), container("b", 100, {})}, Cores(200)),
            (Goals{{"a", Cores(150), Cores(3000)}, {"b", Cores(50), {}}}));
  EXPECT_EQ(soft({container("main", 500, 500)}, Cores(4000)), (Goals{{"main", Cores(4000), Cores(4001)}}))
      << "a pod without memory limits aside, one with equal numbers would be Guaranteed for good";
}

TEST(WorkerCpu, MayUseMoreAtTheStart) {
  auto spec = workers({container("main", 500, 1000)}, CpuCeiling::Soft);
  spec.start.cpu = Cores(6000);
  EXPECT_EQ(spread(spec, Cores(200), true), (Goals{{"main", Cores(200), Cores(6000)}}));
  EXPECT_EQ(spread(spec, Cores(200), false), (Goals{{"main", Cores(200), Cores(4000)}}));
  spec.cpu.ceiling = CpuCeiling::Hard;
  EXPECT_EQ(spread(spec, Cores(200), true), (Goals{{"main", Cores(200), Cores(6000)}}));
  EXPECT_EQ(spread(spec, Cores(200), false), (Goals{{"main", Cores(200), Cores(400)}}));
}

TEST(WorkerCpu, KeepsTheQosClassOfPodsThatRun) {
  OwnPod equal;
  equal.containers = {{"main", Cores(500), Cores(500)}};
  EXPECT_EQ(keepingClass(equal, {{"main", Cores(200), Cores(4000)}}),
            (Goals{{"main", Cores(200), Cores(200)}}));
  OwnPod burstable;
  burstable.containers = {{"main", Cores(500), Cores(4000)}};
  EXPECT_EQ(keepingClass(burstable, {{"main", Cores(200), Cores(200)}}),
            (Goals{{"main", Cores(200), Cores(201)}}));
  EXPECT_EQ(keepingClass(burstable, {{"main", Cores(200), Cores(4000)}}),
            (Goals{{"main", Cores(200), Cores(4000)}}));
  burstable.containers = {{"main", Cores(500), Cores(1000)}};  // of a former version
  EXPECT_EQ(keepingClass(burstable, {{"main", Cores(200), Cores(4000)}}),
            (Goals{{"main", Cores(200), Cores(1000)}}));
  EXPECT_EQ(keepingClass(burstable, {{"main", Cores(2000), Cores(4000)}}),
            (Goals{{"main", Cores(2000), Cores(2001)}}));
}

TEST(WorkerCpu, MovesRequestsAndLimitsByOneFactor) {
  EXPECT_EQ(hard({container("main", 500, 1000)}, Cores(1500)), (Goals{{"main", Cores(1500), Cores(3000)}}));
  EXPECT_EQ(hard({container("a", 300, {}), container("b", 100, 100)}, Cores(200)),
            (Goals{{"a", Cores(150), {}}, {"b", Cores(50), Cores(50)}}));
}

TEST(WorkerCpu, TakesALimitForTheRequestThatIsNotThere) {
  EXPECT_EQ(hard({container("main", {}, 400)}, Cores(200)), (Goals{{"main", Cores(200), Cores(200)}}));
}

TEST(WorkerCpu, LeavesContainersWithoutCpuAlone) {
  EXPECT_EQ(hard({container("main", 500, {}), container("log", {}, {})}, Cores(1000)),
            (Goals{{"main", Cores(1000), {}}}));
}

TEST(WorkerCpu, TheLeastAskedIsThatOfLivingPodsInTheContainersOfTheTemplate) {
  const auto whole = pod({container("main", 500, {}), container("log", {}, {})});
  const auto asking = [](int cpu) {
    OwnPod out;
    out.containers = {{"main", Cores(cpu), {}}, {"log", {}, {}}, {"injected", Cores(100), {}}};
    return out;
  };
  auto leaving = asking(200);
  leaving.leaving = true;
  auto ended = asking(300);
  ended.ended = true;
  EXPECT_EQ(leastAsked(whole, {asking(1500), leaving, ended, asking(700)}), Cores(700));
  EXPECT_EQ(leastAsked(whole, {leaving, ended}), std::nullopt);
}

TEST(WorkerCpu, AddsUpAndKeepsTheQosClassWhateverTheNumbers) {
  std::mt19937 random(7);
  const auto upTo = [&](int most) { return std::uniform_int_distribution<int>(1, most)(random); };
  for (int round = 0; round < 2000; ++round) {
    std::vector<Container> containers;
    for (int i = upTo(4); i > 0; --i) {
      const int request = upTo(4000);
      const std::string name = "c" + std::to_string(i);
      containers.push_back(container(name.c_str(), request, request + (upTo(2) - 1) * upTo(4000)));
    }
    const Cores goal(upTo(64000) + 4 * 4000);
    const auto goals = hard(containers, goal);
    Cores sum;
    for (std::size_t i = 0; i < goals.size(); ++i) {
      sum += *goals[i].request;
      EXPECT_EQ(*goals[i].limit == *goals[i].request, containers[i].limit == containers[i].request);
      EXPECT_GE(*goals[i].limit, *goals[i].request);
    }
    EXPECT_EQ(sum, goal);
    EXPECT_EQ(hard(containers, coresOf(pod(containers))).front().request, containers.front().request);
    for (const auto& each : soft(containers, goal)) EXPECT_GT(*each.limit, *each.request);
  }
}

TEST(WorkerCpu, KeepsAThousandthForEachContainer) {
  for (const auto& goal : hard({container("a", 1, 2), container("b", 9999, {})}, Cores(10))) {
    EXPECT_GE(*goal.request, Cores(1));
  }
}

TEST(WorkerCpu, IsWrittenIntoATemplate) {
  auto spec = jsonOf(R"({'containers':[{'name':'main','resources':{'requests':{'cpu':'1','memory':'1Gi'}}},
                       {'name':'log'}],'restartPolicy':'Never'})");
  assignCpu(spec, {{"main", Cores(1500), Cores(3000)}}, spec.GetAllocator());
  EXPECT_EQ(spec, jsonOf(R"({'containers':[{'name':'main','resources':
      {'requests':{'memory':'1Gi','cpu':'1500m'},'limits':{'cpu':'3'}}},{'name':'log'}],'restartPolicy':'Never'})"));
}

TEST(WorkerCpu, IsAskedForAlreadyOrNot) {
  OwnPod pod;
  pod.containers = {{"main", Cores(1500), Cores(3000)}, {"injected", Cores(100), {}}};
  EXPECT_TRUE(asks(pod, {{"main", Cores(1500), Cores(3000)}}));
  EXPECT_TRUE(asks(pod, {{"main", Cores(1500), {}}}));
  EXPECT_FALSE(asks(pod, {{"main", Cores(1500), Cores(2000)}}));
  EXPECT_FALSE(asks(pod, {{"main", Cores(1000), Cores(3000)}}));
}

TEST(WorkerCpu, TouchesNothingButCpuInAResize) {
  OwnPod pod;
  pod.uid = "u";
  EXPECT_EQ(resizeBody(pod, {{"main", Cores(1500), Cores(3000)}, {"b", Cores(50), {}}}),
            quoted("{'metadata':{'uid':'u'},'spec':{'containers':["
                   "{'name':'main','resources':{'requests':{'cpu':'1500m'},'limits':{'cpu':'3'}}},"
                   "{'name':'b','resources':{'requests':{'cpu':'50m'}}}]}}"));
}

}  // namespace
}  // namespace slaq::kube::pods
