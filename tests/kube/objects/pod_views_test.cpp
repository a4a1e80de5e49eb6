#include "kube/objects/pod_views.h"

#include <gtest/gtest.h>

namespace slaq::kube::objects {
namespace {

pods::OwnPod pod(int index, bool ready = true) {
  pods::OwnPod out;
  out.index = index;
  out.ready = ready;
  out.cores = Cores(500);
  out.containers = {{"main", Cores(500), std::nullopt}};
  return out;
}

pods::OwnPod failed(int index) {
  pods::OwnPod out = pod(index, false);
  out.ended = true;
  out.fault = "pod " + std::to_string(index) + " ended with exit code 1";
  return out;
}

Pods pointers(const std::vector<pods::OwnPod>& pods) {
  Pods out;
  for (const auto& each : pods) out.push_back(&each);
  return out;
}

ChildJob workers(int count) {
  ChildJob out;
  out.parallelism = out.completions = Workers(count);
  out.podCores = Cores(500);
  return out;
}

std::string obstacle(const std::vector<pods::OwnPod>& pods) {
  return obstacleOf(pointers(pods)).value_or("");
}

std::string fault(const std::vector<pods::OwnPod>& pods) {
  return faultOf(workers(2), pointers(pods)).value_or("");
}

TEST(PodViews, ThoseThatLiveAreReady) {
  auto leaving = pod(2);
  leaving.leaving = true;
  WorkersView view{.active = Workers(7), .ready = Workers(7), .terminating = Workers(7)};
  countPods(view, {});
  EXPECT_EQ(view.ready, Workers(0));
  EXPECT_EQ(view.active, Workers(7)) << "no pod is known yet";
  const std::vector<pods::OwnPod> pods = {pod(0), pod(1, false), leaving, failed(3), pod(3)};
  countPods(view, pointers(pods));
  EXPECT_EQ(view.ready, Workers(2));
  EXPECT_EQ(view.active, Workers(3));
  EXPECT_EQ(view.terminating, Workers(1));
}

TEST(PodViews, ThereIsNoObstacleWhileAllGoesWell) {
  EXPECT_EQ(obstacle({pod(0), pod(1)}), "");
  EXPECT_EQ(obstacle({pod(0), pod(1, false)}), "");  // on its way
}

TEST(PodViews, APodThatCannotStartIsTheObstacle) {
  auto stuck = pod(1, false);
  stuck.obstacle = "no node";
  EXPECT_EQ(obstacle({failed(0), stuck}), "no node");
  stuck.leaving = true;
  EXPECT_EQ(obstacle({pod(0), stuck}), "");
}

TEST(PodViews, APodThatFailsIsAFaultUntilItsSuccessorIsReady) {
  EXPECT_EQ(obstacle({pod(0), failed(1)}), "");
  EXPECT_EQ(fault({pod(0), failed(1)}), "pod 1 ended with exit code 1");
  EXPECT_EQ(fault({pod(0), failed(1), pod(1, false)}), "pod 1 ended with exit code 1");
  EXPECT_EQ(fault({pod(0), failed(1), pod(1)}), "");
  EXPECT_EQ(fault({pod(0), failed(5)}), "");  // its index is gone
}

TEST(PodViews, TheLastFailureIsThatOfTheNewestPodAndHasNoName) {
  auto first = failed(0), second = failed(0);
  first.key.name = second.key.name = "0";
  second.created = first.created + Seconds(10);
  second.fault = "pod 0 ended with exit code 2";
  const auto last = [](const std::vector<pods::OwnPod>& pods) { return lastFailureOf(0, pointers(pods)); };
  EXPECT_EQ(last({second, first}), "ended with exit code 2");
  EXPECT_EQ(last({pod(0), failed(1)}), "");
  second.killed = true;
  EXPECT_EQ(last({first, second}), "");
}

TEST(PodViews, OnlyFailuresOfThatIndexCount) {
  auto evicted = failed(0);
  evicted.fault.reset();
  EXPECT_EQ(failuresOf(0, pointers({failed(0), failed(1), evicted, failed(0), pod(0)})), 2);
}

const WorkersSpec kWorkers{.scaling = Scaling::CPU,
                           .cpu = {Cores(100), Cores(2000)},
                           .pod = {{{.name = "main", .request = Cores(500)}}, ""}};

CpuView cpu(const std::vector<pods::OwnPod>& pods, std::optional<Cores> asked, int count = 2) {
  ChildJob job = workers(count);
  job.workerCpu = asked;
  return cpuView(job, kWorkers, false, pointers(pods));
}

TEST(PodViews, CpuIsSettledWhenEachPodHasWhatWasAsked) {
  const auto view = cpu({pod(0), pod(1)}, Cores(500));
  EXPECT_EQ(view.asked, Cores(500));
  EXPECT_EQ(view.held, Cores(1000));
  EXPECT_TRUE(view.settled);
  EXPECT_FALSE(cpu({pod(0), pod(1)}, Cores(700)).settled);
  auto resizing = pod(1);
  resizing.settled = false;
  EXPECT_FALSE(cpu({pod(0), resizing}, Cores(500)).settled);
}

TEST(PodViews, CpuWithoutAWordIsTheTemplates) {
  EXPECT_EQ(cpu({pod(0), pod(1)}, std::nullopt).asked, Cores(500));
}

TEST(PodViews, CpuCountsTheLargerOfAskedAndHeldForEachPod) {
  EXPECT_EQ(cpu({pod(0), pod(1)}, Cores(700)).held, Cores(1400));
  EXPECT_EQ(cpu({pod(0), pod(1)}, Cores(200)).held, Cores(1000));
}

TEST(PodViews, CpuOfPodsOnTheirWayOutIsWhatTheyHold) {
  auto leaving = pod(2);
  leaving.leaving = true;
  const auto view = cpu({pod(0), pod(1), leaving, failed(0)}, Cores(700));
  EXPECT_EQ(view.held, Cores(1400 + 500));
}

TEST(PodViews, CpuOfPodsThatAreStillToComeCounts) {
  const auto view = cpu({pod(0)}, Cores(700), 3);
  EXPECT_EQ(view.held, Cores(3 * 700));
  EXPECT_EQ(cpu({}, Cores(700), 3).held, Cores(3 * 700));
  EXPECT_TRUE(cpu({}, Cores(700), 3).settled);  // nothing is there that could be told
}

TEST(PodViews, CpuOfPodsThatNeverComeDoesNotCount) {
  ChildJob job = workers(3);
  job.workerCpu = Cores(700);
  job.suspended = true;
  const auto view = [&] { return cpuView(job, kWorkers, false, {}); };
  EXPECT_EQ(view().held, Cores());
  job.suspended = false;
  job.succeeded = true;
  EXPECT_EQ(view().held, Cores());
}

TEST(PodViews, CpuSaysWhyAResizeDoesNotCome) {
  auto deferred = pod(1);
  deferred.resizePended = "the node is full";
  EXPECT_EQ(cpu({pod(0), deferred}, Cores(700)).obstacle, "the node is full");
}

}  // namespace
}  // namespace slaq::kube::objects
