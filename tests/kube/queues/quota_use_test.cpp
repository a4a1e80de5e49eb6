#include "kube/queues/quota_use.h"

#include <gmock/gmock.h>

namespace slaq::kube::queues {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

Cores cores(int count) { return Cores(1000 * count); }

ClusterQueue queue(const std::string& name, const std::string& cohort, FlavorQuota quota) {
  ClusterQueue made;
  made.key = {"", name};
  made.cohort = cohort;
  quota.flavor = "cpu";
  made.flavors = {std::move(quota)};
  return made;
}

Workload workload(const std::string& owner, int held, const std::string& reservedIn = "") {
  Workload made;
  made.key = {"a", owner};
  made.owner = made.uid = owner;
  made.clusterQueue = reservedIn;
  made.podSets = {{.name = kWorkerSet,
                   .count = Workers(held),
                   .cores = cores(held),
                   .flavor = reservedIn.empty() ? "" : "cpu"}};
  return made;
}

// Two queues of six cores each; the job "t" has a minimum of one core, "other" is no training job.
class QuotaUseTest : public testing::Test {
 protected:
  QuotaUse use() const {
    std::vector<const ClusterQueue*> all;
    for (const auto& each : queues) all.push_back(&each);
    std::vector<const Workload*> existing;
    for (const auto& each : workloads) existing.push_back(&each);
    return {all, {}, existing, {{"t", share(workloads[0])}}};
  }

  static Share share(const Workload& of) {
    const Cores held = coresOf(of);
    return {of.podSets.back().flavor, held, of.evicted ? Cores() : held - cores(1)};
  }

  static Cores now(const QuotaUse& use) {
    const auto groups = use.groups();
    return groups.empty() ? Cores() : groups.front().cores;
  }

  std::vector<ClusterQueue> queues = {queue("mine", "all", {.nominal = cores(6)}),
                                      queue("theirs", "all", {.nominal = cores(6)})};
  std::vector<Workload> workloads = {workload("t", 4, "mine")};
};

TEST_F(QuotaUseTest, LendsWhatTheOthersOfTheCohortDoNotUse) {
  workloads.push_back(workload("other", 3, "theirs"));
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(5));
  EXPECT_EQ(now(use()), cores(9));
  EXPECT_EQ(use().groupOf("mine", "cpu"), "the cohort all, flavor cpu");
  EXPECT_EQ(use().groups().front().most, cores(12));
}

TEST_F(QuotaUseTest, LendsNothingBeyondTheLimitsOfBothSides) {
  queues[0].flavors[0].borrowing = cores(1);
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(3));
  queues[0].flavors[0].borrowing.reset();
  queues[1].flavors[0].lending = cores(2);
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(4));
  workloads.push_back(workload("other", 3, "theirs"));
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(4));  // which are the ones that it keeps
}

TEST_F(QuotaUseTest, HasNoOthersWithoutACohort) {
  queues[0].cohort.clear();
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(2));
  EXPECT_EQ(use().groupOf("mine", "cpu"), "the ClusterQueue mine, flavor cpu");
}

TEST_F(QuotaUseTest, KeepsRoomForAWorkloadThatWaits) {
  workloads.push_back(workload("other", 5, "theirs"));
  QuotaUse some = use();
  some.addWaiting(workload("waits", 5), "theirs");
  EXPECT_EQ(now(some), cores(2));  // of the three that nobody uses, and the four that it has
  EXPECT_EQ(some.leftFor("mine", "cpu"), cores(0));
}

TEST_F(QuotaUseTest, KeepsNoRoomForAWorkloadThatCannotBeHelped) {
  workloads.push_back(workload("other", 5, "theirs"));
  QuotaUse some = use();
  EXPECT_EQ(some.addWaiting(workload("large", 7), "theirs").outcome,
            Waiting::Cannot);  // even beside the job's minimum
  EXPECT_EQ(some.addWaiting(workload("lost", 3), "unknown").outcome, Waiting::Cannot);
  EXPECT_EQ(now(some), cores(7));
}

TEST_F(QuotaUseTest, KeepsTheRoomOfAWorkloadThatFits) {
  workloads.push_back(workload("other", 5, "theirs"));
  QuotaUse some = use();
  EXPECT_EQ(some.addWaiting(workload("small", 2), "theirs").outcome, Waiting::Fits);
  EXPECT_EQ(now(some), cores(5));
  EXPECT_EQ(some.leftFor("mine", "cpu"), cores(1));
}

TEST_F(QuotaUseTest, KeepsRoomForAsManyAsFit) {
  workloads.push_back(workload("other", 8, "theirs"));
  QuotaUse some = use();
  some.addWaiting(workload("first", 2), "theirs");
  some.addWaiting(workload("second", 2), "theirs");
  some.addWaiting(workload("third", 1), "theirs");
  EXPECT_EQ(now(some), cores(1));
}

TEST_F(QuotaUseTest, CountsAWorkloadThatMayNotBorrowSoMuchNotAsWaiting) {
  queues[1].flavors[0].borrowing = cores(0);
  workloads = {workload("t", 8, "mine"), workload("other", 4, "theirs")};
  QuotaUse some = use();
  some.addWaiting(workload("waits", 3), "theirs");
  EXPECT_EQ(now(some), cores(8));
  some.addWaiting(workload("smaller", 2), "theirs");
  EXPECT_EQ(now(some), cores(6));
}

// Kueue lets none of them borrow, however much others leave.
TEST_F(QuotaUseTest, MakesRoomWithinAQueueThatMayNotBorrow) {
  queues[0].flavors[0].borrowing = cores(0);
  workloads = {workload("t", 6, "mine")};
  QuotaUse some = use();
  EXPECT_EQ(some.groupOf("mine", "cpu"), "the ClusterQueue mine, flavor cpu");
  EXPECT_EQ(some.addWaiting(workload("waits", 2), "mine").outcome, Waiting::IsServed);
  EXPECT_EQ(now(some), cores(4));
  EXPECT_EQ(some.groups().front().most, cores(6));
}

TEST_F(QuotaUseTest, MakesRoomForAQueueThatLendsAPart) {
  queues[1].flavors[0].lending = cores(2);
  workloads = {workload("t", 8, "mine")};
  QuotaUse some = use();
  EXPECT_EQ(some.addWaiting(workload("waits", 5), "theirs").outcome, Waiting::IsServed);
  EXPECT_EQ(now(some), cores(7));
  EXPECT_EQ(some.groups().front().most, cores(8));
}

// The second may not have the kept part of the quota that the first was promised.
TEST_F(QuotaUseTest, PromisesWhatAQueueKeepsToOneWorkloadOnly) {
  queues[1].flavors[0].lending = cores(2);
  workloads = {workload("t", 8, "mine")};
  QuotaUse some = use();
  EXPECT_EQ(some.addWaiting(workload("first", 5), "theirs").outcome, Waiting::IsServed);
  EXPECT_EQ(some.addWaiting(workload("second", 4), "theirs").outcome, Waiting::IsServed);
  EXPECT_EQ(now(some), cores(3));
}

TEST_F(QuotaUseTest, MakesNoRoomInOneFlavorForAWorkloadThatFitsIntoAnother) {
  queues[0].flavors.push_back({.flavor = "gpu", .nominal = cores(6)});
  workloads = {workload("t", 6, "mine"), workload("other", 6, "theirs")};
  QuotaUse some = use();
  EXPECT_EQ(some.addWaiting(workload("waits", 3), "mine").outcome, Waiting::Fits);
  EXPECT_EQ(now(some), cores(6));
}

TEST_F(QuotaUseTest, CountsADriverOfAnotherFlavorWithItsWorkers) {
  queues[0].flavors.push_back({.flavor = "gpu", .nominal = cores(4)});
  workloads[0].podSets = {{.name = kDriverSet, .count = Workers(1), .cores = cores(1), .flavor = "cpu"},
                          {.name = kWorkerSet, .count = Workers(4), .cores = cores(4), .flavor = "gpu"}};
  EXPECT_EQ(now(use()), cores(5));
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(11));
}

TEST_F(QuotaUseTest, CountsAnEvictedWorkloadAsUsedAndNotAsGivable) {
  workloads[0].evicted = "Preempted";
  workloads.push_back(workload("other", 6, "theirs"));
  QuotaUse some = use();
  EXPECT_EQ(some.leftFor("mine", "cpu"), cores(2));
  some.addWaiting(workload("waits", 3), "theirs");
  EXPECT_EQ(now(some), cores(6));
}

// Otherwise a growth could take the cores at once that were just given.
TEST_F(QuotaUseTest, KeepsRoomWithinTheLimitOfBorrowing) {
  queues[0].flavors[0].borrowing = cores(0);
  QuotaUse some = use();
  EXPECT_EQ(some.addWaiting(workload("first", 1), "mine").outcome, Waiting::Fits);
  EXPECT_EQ(now(some), cores(5));
  EXPECT_EQ(some.leftFor("mine", "cpu"), cores(1));
  EXPECT_EQ(some.addWaiting(workload("second", 2), "mine").outcome, Waiting::IsServed);
  EXPECT_EQ(now(some), cores(3));
  EXPECT_EQ(some.leftFor("mine", "cpu"), cores(0));
}

// A side-car that was injected into its pods.
TEST_F(QuotaUseTest, GivesATrainingWhatItsPodsRequest) {
  const QuotaUse some({&queues[0], &queues[1]}, {}, {&workloads[0]}, {{"t", {"cpu", Cores(4400), cores(3)}}});
  EXPECT_EQ(now(some), Cores(12400));
}

TEST_F(QuotaUseTest, TriesNoFlavorThatIsLeftOut) {
  queues[0].flavors.push_back({.flavor = "gpu", .nominal = cores(6)});
  workloads = {workload("t", 6, "mine"), workload("other", 6, "theirs")};
  QuotaUse some = use();
  const auto place = some.addWaiting(workload("waits", 3), "mine", {"gpu"});
  EXPECT_EQ(place.outcome, Waiting::IsServed);
  EXPECT_EQ(place.flavor, "cpu");
  EXPECT_EQ(some.addWaiting(workload("more", 3), "mine", {"cpu", "gpu"}).outcome, Waiting::Cannot);
}

TEST_F(QuotaUseTest, CountsNoFinishedWorkload) {
  workloads[0].finished = true;
  EXPECT_EQ(use().leftFor("mine", "cpu"), cores(12));
  EXPECT_THAT(use().groups(), IsEmpty());
}

TEST_F(QuotaUseTest, AddsTheQuotaThatACohortHasItself) {
  const auto cohort = queue("all", "", {.nominal = cores(3)});
  const QuotaUse some({&queues[0]}, {&cohort}, {&workloads[0]}, {{"t", share(workloads[0])}});
  EXPECT_EQ(some.leftFor("mine", "cpu"), cores(5));
}

}  // namespace
}  // namespace slaq::kube::queues
