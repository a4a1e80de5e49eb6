#include "scheduler/policies/look_ahead.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <vector>

#include "forecast/predictors/ensemble_predictor.h"
#include "scheduler/allocation/reduction_envelope.h"
#include "scheduler/demands.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/policies/total_quality.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;

// One core-second an iteration.
Demand following(std::span<const double> table, int max = 100) {
  Demand demand{.max = max};
  demand.curve = forecast::Curve{.family = forecast::CurveFamily::Tabulated, .table = table};
  demand.first = table.front();
  demand.final = table.back();
  return demand;
}

// Resizes are free.
Allocation divide(const std::vector<Demand>& jobs, Cores cores, Seconds epoch) {
  const AllocationProblem problem{
      .demands = jobs, .budget = cores, .epoch = epoch, .resizePrice = {.horizon = Seconds(0)}};
  return LookAhead().divide(problem).allocation;
}

// Two jobs on 20 cores, resizes free: the second has more to gain, and its forecast this back-test.
World lookingAhead(int mostOfTheFirst, std::optional<double> backTestError, double rateOfTheFirst = 0.1) {
  World world(Cores(20000));
  world.settings.price.horizon = Seconds(0);
  run(world.add(viewOf("a", 1, mostOfTheFirst)), std::min(mostOfTheFirst, 10));
  run(world.add(viewOf("b", 1, 20)), 10);
  world.learned(0, rateOfTheFirst);
  world.learned(1, 0.01);
  world.historyOf(1).losses.model->backTestError = backTestError;
  return world;
}

TEST(ReductionEnvelope, IsTheHullOfTheLossesAtTheEndsOfIterations) {
  const std::vector<double> losses = {1, 0.9, 0.4, 0.45, 0.3};
  const ReductionEnvelope envelope(following(losses), 4);
  EXPECT_DOUBLE_EQ(envelope.at(0), 0);
  EXPECT_DOUBLE_EQ(envelope.at(1), 0.3);  // on the way to 0.4, which is worth more than 0.9
  EXPECT_DOUBLE_EQ(envelope.at(2), 0.6);
  EXPECT_DOUBLE_EQ(envelope.at(3), 0.65);  // the rise is passed over
  EXPECT_DOUBLE_EQ(envelope.at(4), 0.7);
  EXPECT_DOUBLE_EQ(envelope.at(9), 0.7);
}

TEST(ReductionEnvelope, IsSteeperTheMoreOfAnIterationIsDone) {
  const std::vector<double> losses = {1, 0.5, 0.25};
  Demand job = following(losses);
  job.iteration = 0.75;
  EXPECT_DOUBLE_EQ(ReductionEnvelope(job, 3).at(0.25), 0.5);
}

TEST(ReductionEnvelope, CountsOnlyWhatTheLossFallsBelowItsCeiling) {
  const std::vector<double> losses = {9, 5, 0.8, 0.6};
  Demand job = following(losses);
  job.ceiling = 1;
  const ReductionEnvelope envelope(job, 3);
  EXPECT_NEAR(envelope.at(2), 0.8 / 3, 1e-12);  // on the way to 0.6, which is worth more than 0.8
  EXPECT_NEAR(envelope.at(3), 0.4, 1e-12);
  EXPECT_DOUBLE_EQ(job.reduction(1, 1), 0);
  EXPECT_NEAR(job.reduction(1, 2), 0.2, 1e-12);
}

// Far above its start a curve that falls ever more slowly falls fastest, and gains nothing.
TEST(ReductionEnvelope, OfALossFarAboveItsCeilingIsNothing) {
  Demand job = learner(1000, 0.01);
  job.ceiling = 1;
  EXPECT_DOUBLE_EQ(ReductionEnvelope(job, 30).at(30), 0);
}

TEST(ReductionEnvelope, IsWorthNothingWhereTheLossRises) {
  const std::vector<double> losses = {1, 2, 3};
  EXPECT_DOUBLE_EQ(ReductionEnvelope(following(losses), 3).at(3), 0);
}

TEST(ReductionEnvelope, IsConcaveAndNeverUnderTheCurve) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 500; ++round) {
    std::vector<double> losses(2 + static_cast<std::size_t>(round % 60));
    for (double& loss : losses) loss = uniform(random);
    const Demand job = following(losses);
    const ReductionEnvelope envelope(job, 10);
    for (int k = 1; k < 70; ++k) {
      ASSERT_GE(envelope.at(k) + 1e-12, job.curve.reduction(0, k));
      ASSERT_GE(2 * envelope.at(k) + 1e-12, envelope.at(k - 1) + envelope.at(k + 1));
    }
  }
}

TEST(LookAhead, IsAlgorithm1WhereGainsAreConcaveAndIterationsShort) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 200; ++round) {
    std::vector<Demand> jobs;
    const int count = 2 + round % 7;
    // An iteration is a thousandth of what a core does in an epoch.
    for (int j = 0; j < count; ++j) {
      jobs.push_back(learner(uniform(random), 1e-4 + 1e-3 * uniform(random)));
      jobs.back().speed = forecast::SpeedCurve::parallel(0.003);
    }
    const Cores cores(1000 * (count + round % 50));
    const auto ours = divide(jobs, cores, kEpoch);
    const auto published = totalQuality(jobs, cores, kEpoch);
    for (std::size_t j = 0; j < jobs.size(); ++j) ASSERT_EQ(ours[j], published[j]);
  }
}

TEST(LookAhead, WorksTowardsAnIterationThatTakesLongerThanAnEpoch) {
  // 60 core-seconds an iteration: 10 cores do half of one in an epoch.
  const std::vector<double> steep = {1, 0};
  const std::vector<double> flat = {1, 0.99, 0.98, 0.97};
  std::vector<Demand> jobs = {following(flat), following(steep)};
  jobs[1].speed = forecast::SpeedCurve::parallel(60);
  EXPECT_EQ(divide(jobs, Cores(10000), kEpoch), (Allocation{1, 9}));
}

TEST(LookAhead, SeesASlopeBehindAPlateau) {
  const std::vector<double> plateau = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0};
  const std::vector<double> gentle = {1, 0.99, 0.98, 0.97, 0.96, 0.95, 0.94, 0.93, 0.92, 0.91, 0.90, 0.89};
  const std::vector<Demand> jobs = {following(gentle), following(plateau)};
  EXPECT_EQ(divide(jobs, Cores(4000), kEpoch), (Allocation{1, 3}));
}

TEST(LookAhead, DividesFairlyWhatNobodyGainsBy) {
  const std::vector<double> flat = {1, 1};
  const std::vector<Demand> jobs = {following(flat), following(flat), following(flat)};
  EXPECT_EQ(divide(jobs, Cores(12000), kEpoch), (Allocation{4, 4, 4}));
}

// The first job needs about a core-second, and the second a hundred. The first gets nearly all until it is
// done if the next epoch can take the core back for nothing. A job whose workers come and go would pay for
// that.
TEST(LookAhead, LooksNoFurtherThanAnEpochOnlyWhereAllJobsChangeInPlace) {
  std::vector<Demand> jobs = {learner(1, 3, 1, 10, Cores(100)), learner(1, 0.02, 1, 10, Cores(100))};
  for (auto& job : jobs) job.held = 5;
  for (auto& job : jobs) job.inPlace = true;
  const auto givenToFirst = [&](Cores cores) {
    const AllocationProblem problem{
        .demands = jobs, .budget = cores, .epoch = kEpoch, .resizePrice = {.horizonInPlace = Seconds(0)}};
    return LookAhead().divide(problem).allocation.front();
  };
  EXPECT_EQ(givenToFirst(Cores(1100)), 10);
  jobs.push_back(learner(1, 0.02, 1, 1));
  EXPECT_LT(givenToFirst(Cores(2100)), 10);
}

TEST(LookAheadPolicy, NormalizesByTheWholeRange) {
  // The first job did nearly all of its way in one step; what is left is a small part of its range.
  World world(Cores(10000));
  run(world.add(viewOf("a")), 5);
  run(world.add(viewOf("b")), 5);
  world.learned(0, 0.2);
  world.learned(1, 0.01);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(1));
  EXPECT_EQ(plan.jobs[1].target, Workers(9));
}

TEST(LookAheadPolicy, TrustsADoubtfulForecastWithHalfOfTheCoresAndAnUntestedOneToo) {
  const std::map<std::optional<double>, int> cases = {{0.01, 19}, {0.2, 10}, {std::nullopt, 10}};
  for (const auto& [backTestError, expected] : cases) {
    World world = lookingAhead(20, backTestError);
    EXPECT_EQ(world.decide().jobs[1].target, Workers(expected));
  }
}

TEST(LookAheadPolicy, TrustsADoubtfulForecastWithWhatAJobNearItsEndHas) {
  EXPECT_EQ(sentenceOf(lookingAhead(20, 0.2).decide().jobs[1]),
            "keeps 10: no more while its forecasts miss by 20% of what it fell");
  EXPECT_EQ(lookingAhead(20, 0.2, 0.3).decide().jobs[1].target, Workers(19));
}

TEST(LookAheadPolicy, TrustsADoubtfulForecastWithWhatOthersCannotUse) {
  World world = lookingAhead(3, 0.2);
  const Plan plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target + plan.jobs[1].target, Workers(20));
}

TEST(LookAheadPolicy, ExpectsNothingMoreOfANewcomerWhoseLossIsOverdue) {
  World world(Cores(20000));
  run(world.add(viewOf("a", 1, 20)), 10);
  world.learned(0, 0.3);
  JobHistory& history = world.historyOf(0);
  history.pods.adopted = false;
  const auto model = history.losses.model;
  history.losses.series = {};
  history.losses.series.add(Iterations(0), Loss(1));
  history.losses.series.add(Iterations(1), Loss(0.5));
  history.losses.model = model;
  EXPECT_EQ(world.decide().jobs[0].phase, Phase::Quality);
  history.losses.unusable = "it is not a number";
  EXPECT_EQ(world.decide().jobs[0].phase, Phase::Fair);
}

// Two jobs on 20 cores, where resizes have a price; the first shows no loss.
World withASilentJob(int heldBySilent, int ready) {
  World world(Cores(20000));
  run(world.add(viewOf("a", 1, 20)), heldBySilent);
  run(world.add(viewOf("b", 1, 20)), 20 - heldBySilent);
  world.learned(1, 0.01);
  world.historyOf(0).pods.readySince = at(100 - ready);
  return world;
}

TEST(LookAheadPolicy, GivesAJobThatShowsNoLossItsFairShare) {
  EXPECT_EQ(withASilentJob(2, 10).decide().jobs[0].target, Workers(10));
  EXPECT_EQ(withASilentJob(2, 20).decide().jobs[0].target, Workers(10));
  EXPECT_EQ(withASilentJob(18, 20).decide().jobs[0].target, Workers(10));
}

// Two workers of 1 to 9 cores each, of 16: the cores that it has at least count as well.
TEST(LookAheadPolicy, TrustsADoubtfulForecastOfAJobByCpuWithHalfOfTheCoresInAll) {
  World world(Cores(16000));
  world.settings.price.horizon = Seconds(0);
  JobView& byCpu = world.add(viewOf("a", 2));
  byCpu.job.spec.workers.scaling = Scaling::CPU;
  byCpu.job.spec.workers.cpu = {Cores(1000), Cores(9000)};
  run(byCpu, 2).workers.cpu = CpuView{.asked = Cores(2000), .held = Cores(4000)};
  run(world.add(viewOf("b", 1, 20)), 8);
  world.learned(0, 0.01);
  world.learned(1, 0.1);
  world.historyOf(0).losses.model->backTestError = 0.2;
  world.historyOf(1).losses.model->backTestError = 0.01;
  const auto cpu = world.decide().jobs[0].targetCpu;
  EXPECT_LE(cpu, Cores(4000));
  EXPECT_GE(cpu, Cores(3900));
}

TEST(LookAheadPolicy, TellsThePriceThatDecidedWhereResizesHaveAPriceToo) {
  World world = lookingAhead(20, 0.01);
  world.settings.price = {};
  const Plan plan = world.decide();
  ASSERT_TRUE(plan.price);
  EXPECT_GT(*plan.price, 0);
  EXPECT_THAT(sentenceOf(plan.jobs[0]), ::testing::HasSubstr("10 -> 1: its last 9 workers gain"));
  EXPECT_THAT(sentenceOf(plan.jobs[1]),
              ::testing::HasSubstr(" gain " + toDecimal(*plan.price, 2) +
                                   ", just over the price; a gives them; waits for 9 cores"));
}

// Other jobs need a core-second for an iteration.
void expectOneCoreSecond(World& world) {
  Peers peers;
  peers.speeds.update("", std::vector<forecast::TimedSize>{{1, 1, 1}}, 1);
  const forecast::EnsemblePredictor predictor(forecast::defaultConstants());
  expect(world.historyOf(0), world.viewAt(0).job.spec, predictor, peers);
}

TEST(LookAheadPolicy, SaysOfANewcomerThatOthersWereLookedAtAndForetellsNoLoss) {
  World world(Cores(20000));
  world.add(viewOf("a", 1, 20));
  expectOneCoreSecond(world);
  const JobPlan plan = world.decide().jobs[0];
  EXPECT_EQ(plan.phase, Phase::Quality);
  EXPECT_EQ(sentenceOf(plan),
            "starts with 20: by what other jobs did, until its loss can be forecast (0 of 3 losses seen)");
  EXPECT_FALSE(plan.forecast);
}

// A newcomer beside a job that learns, where others need a core-second for an iteration.
World withANewcomer() {
  World world(Cores(20000));
  run(world.add(viewOf("a", 1, 20)), 10);
  run(world.add(viewOf("b", 1, 20)), 10);
  world.learned(1, 0.01);
  expectOneCoreSecond(world);
  return world;
}

TEST(LookAheadPolicy, ExpectsNothingMoreOfANewcomerThatDoesNotStart) {
  World world = withANewcomer();
  world.viewAt(0).workers.ready = Workers(0);
  world.historyOf(0).resizes.since = at(80);
  EXPECT_EQ(world.decide().jobs[0].phase, Phase::Resizing);
  world.historyOf(0).resizes.since = at(60);
  EXPECT_EQ(world.decide().jobs[0].phase, Phase::Fair);
}

// Started at second 90 with the one core that was free, of 20; no worker is ready yet.
World withANewcomerThatStarts() {
  World world(Cores(20000));
  JobView& view = world.add(viewOf("a", 1, 20));
  observe(world.historyOf(0), view, at(80));
  run(view, 1);
  view.workers.ready = Workers(0);
  observe(world.historyOf(0), view, at(90));
  expectOneCoreSecond(world);
  return world;
}

TEST(LookAheadPolicy, LetsANewcomerThatStartsTakeWhatHasComeFreeSince) {
  World world = withANewcomerThatStarts();
  EXPECT_THAT(world.decide().actions, ::testing::ElementsAre(slaq::testing::scales("a", 1, 20)));
  observe(world.historyOf(0), world.viewAt(0), at(95));
  run(world.viewAt(0), 20);
  world.viewAt(0).workers.ready = Workers(0);
  observe(world.historyOf(0), world.viewAt(0), at(98));
  EXPECT_FALSE(world.historyOf(0).resizes.grew) << "it is a part of the start";
  EXPECT_EQ(world.historyOf(0).resizes.inVain, 0);
  EXPECT_THAT(world.decide().actions, ::testing::IsEmpty());
}

TEST(LookAheadPolicy, LetsANewcomerThatStartsTakeAPartOfIt) {
  World world = withANewcomerThatStarts();
  world.leaving = Cores(12000);
  EXPECT_THAT(world.decide().actions, ::testing::ElementsAre(slaq::testing::scales("a", 1, 8)));
  world.leaving = Cores(19000);
  EXPECT_THAT(world.decide().actions, ::testing::IsEmpty());
}

TEST(LookAheadPolicy, ExpectsNothingMoreOfANewcomerThatGrewAndDoesNotStart) {
  World world = withANewcomerThatStarts();
  for (const int workers : {2, 3}) {
    run(world.viewAt(0), workers);
    world.viewAt(0).workers.ready = Workers(0);
    observe(world.historyOf(0), world.viewAt(0), at(90 + workers));
  }
  world.historyOf(0).pods.startingSince = at(70);
  EXPECT_NE(world.decide().jobs[0].phase, Phase::Quality);
}

TEST(LookAheadPolicy, LeavesANewcomerAloneThatRanAndFell) {
  World world = withANewcomerThatStarts();
  run(world.viewAt(0), 1);
  observe(world.historyOf(0), world.viewAt(0), at(92));
  world.viewAt(0).workers.ready = Workers(0);
  observe(world.historyOf(0), world.viewAt(0), at(95));
  EXPECT_EQ(world.decide().jobs[0].phase, Phase::Resizing);
}

TEST(LookAheadPolicy, TakesNothingFromANewcomerThatStarts) {
  World world = withANewcomerThatStarts();
  run(world.viewAt(0), 20);
  world.viewAt(0).workers.ready = Workers(0);
  observe(world.historyOf(0), world.viewAt(0), at(98));
  world.add(viewOf("b", 1, 20));
  world.capacity = Cores(21000);
  EXPECT_EQ(world.decide().jobs[0].target, Workers(20));
}

TEST(LookAheadPolicy, LeavesANewcomerAloneWhoseFirstWorkerIsReady) {
  World world = withANewcomerThatStarts();
  run(world.viewAt(0), 2);
  world.viewAt(0).workers.ready = Workers(1);
  observe(world.historyOf(0), world.viewAt(0), at(98));
  EXPECT_EQ(world.decide().jobs[0].phase, Phase::Resizing);
}

TEST(OraclePolicy, DecidesByWhatIsKnownBeforehandFromTheFirstMomentOn) {
  const std::vector<double> steep = {1, 0.1, 0};
  const std::vector<double> flat = {1, 0.999, 0.5};
  World world(Cores(10000));
  world.settings.policy = findPolicy("Oracle");
  world.settings.price.horizon = Seconds(0);
  world.add(viewOf("a"));
  world.add(viewOf("b"));
  const auto known = [](std::span<const double> table) {
    return KnownFuture{.curve = {.family = forecast::CurveFamily::Tabulated, .table = table},
                       .speed = forecast::SpeedCurve::parallel(30),
                       .first = table.front(),
                       .final = table.back()};
  };
  world.historyOf(0).knownFuture = known(flat);
  world.historyOf(1).knownFuture = known(steep);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].phase, Phase::Quality);
  EXPECT_EQ(plan.jobs[0].target, Workers(1));
  EXPECT_EQ(plan.jobs[1].target, Workers(9));
}

}  // namespace
}  // namespace slaq::scheduler
