#include "loop/write/status_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <latch>
#include <mutex>
#include <thread>

namespace slaq::loop {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

const SystemClock clock;

// A cluster that takes statuses of several jobs at a time, and holds those of "slow" until they are let go.
class Gate final : public Cluster {
 public:
  Result<ClusterView> observe() override { return ClusterView(); }
  std::size_t maxConcurrentWrites() const override { return 4; }  // two of them statuses
  Result<void> apply(const Action&) override { return {}; }
  Result<void> writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) override {
    {
      const std::lock_guard lock(mutex);
      begun.push_back(job.name + uid + "=" + std::to_string(status.observedGeneration));
    }
    if (job.name == "slow") {
      if (!slowBegan.try_wait()) slowBegan.count_down();
      slowGoesOn.wait();
    }
    if (isSilent) return failure(ErrorKind::Transient, "no answer");
    return {};
  }
  void record(const JobKey&, const Event& event) override {
    const std::lock_guard lock(mutex);
    events.push_back(event.reason);
  }

  std::vector<std::string> all() {
    const std::lock_guard lock(mutex);
    return begun;
  }

  std::latch slowBegan{1};
  std::latch slowGoesOn{1};
  bool isSilent = false;
  std::mutex mutex;
  std::vector<std::string> begun;
  std::vector<std::string> events;
};

StatusToSend toSend(const std::string& name, int generation = 1) {
  return {{"default", name}, "", {}, {.observedGeneration = generation}};
}

bool always() { return true; }

TEST(StatusSender, SendsByItselfWhatItIsGiven) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  EXPECT_TRUE(sender.sendsByItself());
  sender.replace({toSend("a"), toSend("b"), toSend("c")});
  sender.finish(always);
  EXPECT_THAT(cluster.all(), UnorderedElementsAre("a=1", "b=1", "c=1"));
  EXPECT_THAT(sender.takeSent(), SizeIs(3));
  EXPECT_THAT(sender.takeSent(), IsEmpty());
}

// Each try would record them once more.
TEST(StatusSender, RecordsTheEventsOfAStatusOnceItIsWritten) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  StatusToSend status = toSend("a");
  status.recordsEvents = true;
  status.next.state = JobState::Running;
  cluster.isSilent = true;
  sender.replace({status});
  sender.finish(always);
  EXPECT_THAT(cluster.events, IsEmpty());
  cluster.isSilent = false;
  sender.replace({status});
  sender.finish(always);
  EXPECT_THAT(cluster.events, ElementsAre("Running"));
}

TEST(StatusSender, OneThatHangsHoldsNoOtherJobUpAndNoLaterList) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  sender.replace({toSend("slow")});
  cluster.slowBegan.wait();
  sender.replace({toSend("a"), toSend("b")});
  sender.finish(always);
  EXPECT_THAT(cluster.all(), UnorderedElementsAre("slow=1", "a=1", "b=1"));
  EXPECT_THAT(sender.jobsUnderWay(), ElementsAre(JobKey{"default", "slow"}));
  cluster.slowGoesOn.count_down();
}

TEST(StatusSender, BeginsAfterThePause) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  const Seconds given = clock.monotonic();
  sender.replace({toSend("slow")}, Seconds(0.05));
  cluster.slowBegan.wait();
  EXPECT_GE(clock.monotonic() - given, Seconds(0.05));
  cluster.slowGoesOn.count_down();
}

// The loop need not wait for the pause to end.
TEST(StatusSender, WhatIsGivenNextDoesNotWaitForAnEarlierPause) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  sender.replace({toSend("a")}, Seconds(3600));
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // likely the threads wait by then
  sender.replace({toSend("slow")});
  cluster.slowBegan.wait();
  cluster.slowGoesOn.count_down();
  sender.finish(always);
  EXPECT_THAT(cluster.all(), ElementsAre("slow=1"));
}

// Else the older one could be the last that the cluster gets.
TEST(StatusSender, TheNextStatusOfAJobWaitsForTheOneUnderWay) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  sender.replace({toSend("slow", 1)});
  cluster.slowBegan.wait();
  sender.replace({toSend("slow", 2), toSend("a")});
  while (cluster.all().size() < 2) std::this_thread::yield();
  EXPECT_THAT(cluster.all(), ElementsAre("slow=1", "a=1"));
  cluster.slowGoesOn.count_down();
  sender.finish(always);
  EXPECT_THAT(cluster.all(), ElementsAre("slow=1", "a=1", "slow=2"));
}

TEST(StatusSender, BeginsNothingMoreOnceToldToStop) {
  Gate cluster;
  StatusSender sender(cluster, clock);
  sender.replace({toSend("slow", 1), toSend("slow", 2)});
  cluster.slowBegan.wait();
  sender.stop();
  cluster.slowGoesOn.count_down();
  sender.finish(always);
  EXPECT_THAT(cluster.all(), ElementsAre("slow=1"));
}

TEST(StatusSender, GivesAnEpochsStatusesUpWhenNobodyAnswers) {
  Gate cluster;
  cluster.isSilent = true;
  StatusSender sender(cluster, clock);
  std::vector<StatusToSend> many;
  for (int n = 0; n < 50; ++n) many.push_back(toSend("a" + std::to_string(n)));
  sender.replace(many);
  sender.finish(always);
  const auto tried = cluster.all().size();
  EXPECT_LE(tried, kMostSilences + 2u) << "two more may have been under way";
  sender.replace(many);
  sender.finish(always);
  EXPECT_THAT(cluster.all(), SizeIs(tried)) << "in the same epoch";
  sender.beginEpoch();
  sender.replace(many);
  sender.finish(always);
  EXPECT_GT(cluster.all().size(), tried);
}

// Else an outage would cost the first good epoch its statuses.
TEST(StatusSender, SilencesOfAnEarlierEpochDoNotCount) {
  Gate cluster;
  cluster.isSilent = true;
  StatusSender sender(cluster, clock);
  sender.replace({toSend("slow")});
  cluster.slowBegan.wait();
  sender.beginEpoch();
  sender.replace({toSend("a"), toSend("b")});
  sender.finish(always);
  cluster.slowGoesOn.count_down();
  while (sender.jobsUnderWay().size() > 0) std::this_thread::yield();
  sender.replace({toSend("c")});
  sender.finish(always);
  EXPECT_THAT(cluster.all(), UnorderedElementsAre("slow=1", "a=1", "b=1", "c=1"));
  for (const auto& each : sender.takeSent()) EXPECT_EQ(each.isOfEpoch, each.job.name != "slow");
}

}  // namespace
}  // namespace slaq::loop
