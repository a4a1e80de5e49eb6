#include "simulate/run/virtual_cluster.h"

#include <gmock/gmock.h>

#include "support/workloads.h"

namespace slaq::simulate {
namespace {

using testing::linearFall;
using testing::workloadOf;

const JobKey kA{"default", "a"};

class VirtualTime : public ::testing::Test {
 protected:
  static LossRequest requestFor(const JobKey& key) { return {.job = key}; }

  ClusterView view() { return cluster.observe().value(); }
  LossSample sampleOf(const JobKey& key) {
    return cluster.collect({requestFor(key)}, cluster.now())->at(key).samples.at(0);
  }

  Workload workload = workloadOf(8,
                                 {{.name = "a", .losses = linearFall(10), .cost = 8},
                                  {.name = "b", .losses = linearFall(10), .arrival = Seconds(4)}},
                                 {.grow = Seconds(5)});
  VirtualCluster cluster{workload, false};
};

TEST_F(VirtualTime, ShowsJobsFromTheirArrivalToTheirEnd) {
  EXPECT_EQ(view().jobs.size(), 1u);
  EXPECT_EQ(cluster.nextArrival(), Seconds(4));
  ASSERT_TRUE(cluster.apply(StartJob{kA, Workers(8)}));
  cluster.passUntil(Seconds(5));
  ASSERT_EQ(view().jobs.size(), 2u);
  EXPECT_EQ(view().jobs[1].job.created, cluster.now() - Seconds(1));
  EXPECT_EQ(cluster.nextArrival(), std::nullopt);
  cluster.passUntil(Seconds(10));
  EXPECT_TRUE(view().jobs.front().workers.succeeded);
  EXPECT_EQ(view().jobs.front().job.key.name, "b");
}

// Its cores are free at its last iteration.
TEST_F(VirtualTime, AnEndIsSeenOnceWithoutAnyPod) {
  ASSERT_TRUE(cluster.apply(StartJob{kA, Workers(8)}));
  cluster.passUntil(Seconds(10));
  const JobView ended = view().jobs.front();
  EXPECT_EQ(ended.job.key, kA);
  EXPECT_EQ(ended.workers.desired, Workers(0));
  EXPECT_EQ(ended.workers.active, Workers(0));
}

TEST_F(VirtualTime, AJobThatLingersHoldsItsCoresUntilItsEndWasSeen) {
  workload.linger = Seconds(2);
  VirtualCluster lingering{workload, false};
  ASSERT_TRUE(lingering.apply(StartJob{kA, Workers(8)}));
  const auto first = [&] { return lingering.observe()->jobs.front(); };
  lingering.passUntil(Seconds(11));
  EXPECT_FALSE(first().workers.succeeded);
  lingering.passUntil(Seconds(12));
  EXPECT_TRUE(first().workers.succeeded);
  EXPECT_EQ(first().workers.active, Workers(8));
  ASSERT_TRUE(lingering.writeStatus(kA, "", {.state = JobState::Complete}));
  EXPECT_EQ(lingering.nextRelease(), Seconds(12));
  EXPECT_EQ(first().job.key.name, "b");
  EXPECT_EQ(lingering.nextRelease(), std::nullopt);
}

TEST_F(VirtualTime, TheEndOfAJobOfItsOwnReleasesItsCoresWhenItIsSeen) {
  workload.linger = Seconds(2);
  workload.endReleases = true;
  VirtualCluster lingering{workload, false};
  ASSERT_TRUE(lingering.apply(StartJob{kA, Workers(8)}));
  const auto first = [&] { return lingering.observe()->jobs.front(); };
  lingering.passUntil(Seconds(11));
  EXPECT_EQ(first().workers.active, Workers(8));
  lingering.passUntil(Seconds(12));
  EXPECT_TRUE(first().workers.succeeded);
  EXPECT_EQ(first().workers.active, Workers(0));
  ASSERT_TRUE(lingering.writeStatus(kA, "", {.state = JobState::Complete}));
  EXPECT_EQ(lingering.nextRelease(), std::nullopt);
}

TEST_F(VirtualTime, AJobThatLingersIsGoneAnEpochAfterItsEnd) {
  workload.linger = Seconds(2);
  VirtualCluster lingering{workload, false};
  ASSERT_TRUE(lingering.apply(StartJob{kA, Workers(8)}));
  lingering.passUntil(Seconds(12) + workload.epoch);
  EXPECT_EQ(lingering.observe()->jobs.front().job.key.name, "b");
}

TEST_F(VirtualTime, TellsWhenTheNextJobEndsUntilThatWasObserved) {
  for (const double linger : {0.0, 2.0}) {
    if (linger > 0) workload.linger = Seconds(linger);
    VirtualCluster running{workload, false};
    ASSERT_TRUE(running.apply(StartJob{kA, Workers(8)}));
    const Seconds end{10 + linger};
    EXPECT_EQ(running.nextEnd(end - Seconds(0.5)), std::nullopt);
    EXPECT_EQ(running.nextEnd(Seconds(20)), end);
    EXPECT_EQ(running.elapsed(), Seconds(0));
    running.passUntil(end);
    EXPECT_EQ(running.nextEnd(Seconds(20)), end);
    ASSERT_TRUE(running.observe());
    EXPECT_EQ(running.nextEnd(Seconds(20)), std::nullopt);
  }
}

TEST_F(VirtualTime, TellsTheLossOfTheLastFinishedIteration) {
  ASSERT_TRUE(cluster.apply(StartJob{kA, Workers(4)}));
  cluster.passUntil(Seconds(3));
  EXPECT_EQ(sampleOf(kA), (LossSample{cluster.now(), Iterations(1), Loss(0.9), Loss(1)}));
}

TEST_F(VirtualTime, ReadsTheLossAsOftenAsTheWorkloadSays) {
  workload.scrape = Seconds(1.25);
  VirtualCluster scraped{workload, false};
  ASSERT_TRUE(scraped.apply(StartJob{kA, Workers(4)}));
  scraped.passUntil(Seconds(3));
  const auto collect = [&] { return scraped.collect({requestFor(kA)}, scraped.now())->at(kA).samples; };
  const Time begin = scraped.now() - Seconds(3);
  EXPECT_THAT(collect(),
              ::testing::ElementsAre(LossSample{begin + Seconds(1.25), Iterations(0), Loss(1), Loss(1)},
                                     LossSample{begin + Seconds(2.5), Iterations(1), Loss(0.9), Loss(1)}));
  EXPECT_TRUE(collect().empty());
  scraped.passUntil(Seconds(6));
  EXPECT_EQ(collect().size(), 2u);
}

TEST_F(VirtualTime, AJobThatStartsHasNoLossYet) {
  workload.jobs[0].startCoreSeconds = 8;
  ASSERT_TRUE(cluster.apply(StartJob{kA, Workers(4)}));
  cluster.passUntil(Seconds(1));
  EXPECT_TRUE(cluster.collect({requestFor(kA)}, cluster.now())->at(kA).samples.empty());
  cluster.passUntil(Seconds(2));
  EXPECT_EQ(sampleOf(kA).iteration, Iterations(0));
}

TEST_F(VirtualTime, NewWorkersAreReadyAfterThePauseAsOnACluster) {
  ASSERT_TRUE(cluster.apply(StartJob{kA, Workers(2)}));
  EXPECT_EQ(view().jobs[0].workers.ready, Workers(2));
  ASSERT_TRUE(cluster.apply(ScaleWorkers{kA, Workers(2), Workers(6)}));
  cluster.passUntil(Seconds(3));
  EXPECT_EQ(view().jobs[0].workers.desired, Workers(6));
  EXPECT_EQ(view().jobs[0].workers.ready, Workers(2));
  EXPECT_EQ(sampleOf(kA).iteration, Iterations(0));
  cluster.passUntil(Seconds(5));
  EXPECT_EQ(view().jobs[0].workers.ready, Workers(6));
}

TEST_F(VirtualTime, ForeseesTheTrueCurveFromWhereTheJobIs) {
  ASSERT_TRUE(cluster.apply(StartJob{kA, Workers(4)}));
  cluster.passUntil(Seconds(3));
  const auto knownFuture = cluster.futureOf(kA);
  ASSERT_TRUE(knownFuture);
  EXPECT_DOUBLE_EQ(knownFuture->iteration, 1.5);
  EXPECT_DOUBLE_EQ(knownFuture->curve.at(2.5), 0.75);
  EXPECT_EQ(knownFuture->speed.at(2), 0.25);
  EXPECT_EQ(knownFuture->first, 1);
  EXPECT_EQ(knownFuture->final, 0);
  EXPECT_FALSE(cluster.futureOf({"default", "c"}));
}

TEST_F(VirtualTime, KnowsNoJobsButItsOwn) {
  const auto done = cluster.apply(StartJob{{"default", "c"}, Workers(1)});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace slaq::simulate
