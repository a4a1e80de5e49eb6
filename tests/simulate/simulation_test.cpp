#include "simulate/run/simulation.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <random>

#include "support/workloads.h"

namespace slaq::simulate {
namespace {

using testing::linearFall;
using testing::MadeUpJob;
using testing::published;
using testing::workloadOf;

Outcome outcomeOf(const Workload& workload, const scheduler::Settings& settings) {
  auto outcome = runSimulation(workload, {.settings = settings});
  EXPECT_TRUE(outcome) << outcome.error().message;
  return outcome.value_or(Outcome());
}

// A training that is fastest with 4 workers, with 5 s an iteration. Three jobs that may have 2, 4 and 8
// workers come before one that may have 16.
TEST(Simulation, UnderLookAheadAJobKnowsFromOthersOfItsKindHowManyWorkersHelp) {
  std::vector<MadeUpJob> jobs;
  jobs.reserve(4);
  for (int i = 0; i < 4; ++i) {
    jobs.push_back({.name = {static_cast<char>('a' + i)},
                    .losses = linearFall(300),
                    .arrival = Seconds(4000 * i),
                    .most = 2 << i});
  }
  Workload workload = workloadOf(16, jobs, {.grow = Seconds(5)});
  for (auto& job : workload.jobs) {
    job.kind = "resnet";
    job.scaling = std::make_shared<Scaling>(
        Scaling{{{1, 1.0 / 16}, {2, 1.0 / 8}, {4, 1.0 / 5}, {8, 1.0 / 9}, {16, 1.0 / 14}}});
  }
  const auto last = [&] {
    const auto outcome = outcomeOf(workload, {.policy = scheduler::findPolicy("LookAhead")});
    return outcome.jobs.back().completion.count();
  };
  EXPECT_LT(last(), 1.1 * 300 * 5);
  for (auto& job : workload.jobs) job.kind.clear();
  EXPECT_GT(last(), 1.5 * 300 * 5);
}

// Twice as fast with 3 workers as with the 4 that it begins with. Nobody else is there to learn from.
TEST(Simulation, UnderLookAheadAJobFindsOutThatFewerWorkersAreFaster) {
  Workload workload = workloadOf(4, {{.name = "a", .losses = linearFall(2000), .most = 4}},
                                 {.grow = Seconds(5), .shrink = Seconds(5)});
  workload.scrape = Seconds(1);
  workload.jobs[0].scaling = std::make_shared<Scaling>(Scaling{{{1, 1}, {2, 1.6}, {3, 2}, {4, 1}}});
  const auto outcome = outcomeOf(workload, {.policy = scheduler::findPolicy("LookAhead")});
  EXPECT_LT(outcome.makespanSeconds, 1.3 * 2000 / 2);
  EXPECT_LT(outcome.resizes, 6);
}

// A quarter of what one worker does cannot be shared, so that each worker brings less than the one before.
TEST(Simulation, UnderLookAheadATrainingWithALargeSerialPartIsNearlyAsFastAsItCanBe) {
  Workload workload = workloadOf(4, {{.name = "a", .losses = linearFall(2000), .most = 4}},
                                 {.grow = Seconds(1), .shrink = Seconds(1)});
  workload.scrape = Seconds(1);
  workload.jobs[0].scaling =
      std::make_shared<Scaling>(Scaling{{{1, 1 / 0.44}, {2, 1 / 0.275}, {3, 1 / 0.22}, {4, 1 / 0.19}}});
  const auto outcome = outcomeOf(workload, {.policy = scheduler::findPolicy("LookAhead")});
  EXPECT_LT(outcome.makespanSeconds, 1.25 * 2000 * 0.19);
  EXPECT_LT(outcome.resizes, 6);
}

TEST(Simulation, UnderLookAheadTheHeavierOfTwoEqualJobsLearnsFirst) {
  std::vector<double> losses;
  for (int k = 0; k <= 400; ++k) losses.push_back(1 / (1 + 0.1 * k));
  Workload workload = workloadOf(
      8, {{.name = "heavy", .losses = losses}, {.name = "light", .losses = losses}}, {.grow = Seconds(1)});
  workload.jobs[0].weight = 4;
  const auto outcome = outcomeOf(workload, {.policy = scheduler::findPolicy("LookAhead")});
  EXPECT_LT(1.2 * *outcome.jobs[0].lossIntegralSeconds, *outcome.jobs[1].lossIntegralSeconds);
}

// Iterations of minutes, and a checkpoint every five: jobs that are changed as often as their losses say come
// no further, as nobody knows before it has happened.
TEST(Simulation, UnderLookAheadJobsThatLoseWorkAreSeldomChanged) {
  std::vector<double> losses;
  for (int k = 0; k <= 20; ++k) losses.push_back(1 / (1 + 0.5 * k));
  std::vector<MadeUpJob> jobs;
  jobs.reserve(8);
  for (int i = 0; i < 8; ++i) {
    jobs.push_back({.name = {static_cast<char>('a' + i)},
                    .losses = losses,
                    .cost = 600,
                    .arrival = Seconds(20 * i),
                    .most = 8,
                    .kind = "resnet"});
  }
  const auto makespanWith = [&](std::optional<Seconds> checkpoint) {
    Workload workload =
        workloadOf(16, jobs, {.grow = Seconds(5), .shrink = Seconds(5), .checkpoint = checkpoint});
    workload.scrape = Seconds(1);
    return outcomeOf(workload, {.policy = scheduler::findPolicy("LookAhead")}).makespanSeconds;
  };
  EXPECT_LT(makespanWith(Seconds(300)), 1.25 * makespanWith(std::nullopt));
}

// Two kinds of trainings, of which one does ten times as many iterations. One of each kind comes before all
// others.
TEST(Simulation, UnderFinishTimeShortTrainingsOfAKnownKindEndFirst) {
  std::vector<MadeUpJob> jobs;
  jobs.reserve(12);
  for (int i = 0; i < 12; ++i) {
    const bool isShort = i % 4 != 0;
    jobs.push_back({.name = {static_cast<char>('a' + i)},
                    .losses = linearFall(isShort ? 40 : 400),
                    .cost = 32,
                    .arrival = Seconds(i < 2 ? 0 : 1000 + 20 * i),
                    .most = 32,
                    .kind = isShort ? "short" : "long"});
  }
  const Workload workload = workloadOf(32, jobs);
  const auto meanUnder = [&](const char* policy) {
    return outcomeOf(workload, {.policy = scheduler::findPolicy(policy)}).completionSeconds.mean;
  };
  EXPECT_LT(meanUnder("FinishTime"), 0.95 * meanUnder("Fair"));
}

// Iterations of 8 core-seconds on 4 cores: one every 2 s for a job alone.
TEST(Simulation, OneJobAloneHasAllCoresFromTheStart) {
  const auto outcome = outcomeOf(workloadOf(4, {{.name = "a", .losses = linearFall(10), .cost = 8}}),
                                 published(scheduler::findPolicy("Fair")));
  EXPECT_EQ(outcome.jobs.size(), 1u);
  EXPECT_NEAR(outcome.completionSeconds.mean, 20, 1e-6);
  EXPECT_NEAR(outcome.completionSeconds.p95, 20, 1e-6);
  EXPECT_NEAR(outcome.makespanSeconds, 20, 1e-6);
  EXPECT_NEAR(outcome.secondsToReduction[0]->mean, 6, 1e-6);   // 25%: at 30%
  EXPECT_NEAR(outcome.secondsToReduction[1]->mean, 10, 1e-6);  // 50%
  EXPECT_NEAR(outcome.secondsToReduction[6]->mean, 20, 1e-6);  // 99%
  // 1, 0.9, ..., 0.1, each for 2 s.
  EXPECT_NEAR(*outcome.meanLossIntegralSeconds, 11, 1e-6);
  // At 0, 3, ..., 18 s: 0, 1, 3, 4, 6, 7 and 9 iterations.
  EXPECT_NEAR(outcome.averageNormalizedLoss, 1 - 30.0 / 70, 1e-6);
  EXPECT_EQ(outcome.resizes, 0);
  EXPECT_TRUE(outcome.decisionMicroseconds.empty());
}

TEST(Simulation, AJobWhoseLossDoesNotFallIsInNoFigureOfLoss) {
  const MadeUpJob falls{.name = "a", .losses = linearFall(10), .cost = 8};
  const MadeUpJob constant{.name = "b", .losses = std::vector<double>(11, 0.5), .cost = 8};
  const auto settings = published(scheduler::findPolicy("Fair"));
  const auto both = outcomeOf(workloadOf(4, {falls, constant}), settings);
  EXPECT_EQ(both.secondsToReduction[5]->mean, both.jobs[0].reductions[5]->count());
  EXPECT_EQ(*both.meanLossIntegralSeconds, *both.jobs[0].lossIntegralSeconds);
  EXPECT_FALSE(both.jobs[1].reductions[0]);
  EXPECT_FALSE(both.jobs[1].lossIntegralSeconds);
  EXPECT_GT(both.jobs[1].completion, Seconds(0));
  const auto alone = outcomeOf(workloadOf(4, {constant}), settings);
  EXPECT_FALSE(alone.secondsToReduction[0]);
  EXPECT_FALSE(alone.meanLossIntegralSeconds);
}

TEST(Simulation, AJobThatArrivesBetweenEpochsStartsAtTheNext) {
  const auto outcome =
      outcomeOf(workloadOf(4, {{.name = "a", .losses = linearFall(10), .cost = 8, .arrival = Seconds(4)}}),
                published(scheduler::findPolicy("Fair")));
  EXPECT_NEAR(outcome.makespanSeconds, 26, 1e-6);
  EXPECT_NEAR(outcome.completionSeconds.mean, 22, 1e-6);
  EXPECT_NEAR(*outcome.meanLossIntegralSeconds, 2 + 11, 1e-6);
}

// A moment after the arrival, in which others may come along.
TEST(Simulation, UnderLookAheadAJobThatArrivesBetweenEpochsStartsAtOnce) {
  std::vector<double> epochs;
  std::size_t sampled = 0;
  const auto workload =
      workloadOf(4, {{.name = "a", .losses = linearFall(10), .cost = 8, .arrival = Seconds(4)}});
  const auto outcome = runSimulation(workload, {.settings = published(scheduler::findPolicy("LookAhead")),
                                                .watch = [&](const EpochMoment& moment) {
                                                  epochs.push_back(moment.time.count());
                                                  sampled += moment.active;
                                                }});
  ASSERT_TRUE(outcome);
  EXPECT_NEAR(outcome->makespanSeconds, 24.1, 1e-6);
  EXPECT_NEAR(epochs.at(1), 4.1, 1e-6);
  EXPECT_NEAR(epochs.at(2), 6, 1e-6);
  // At 6, 9, ..., 24 s: 0, 2, 3, 5, 6, 8 and 9 iterations, and not at 4.1 s.
  EXPECT_EQ(sampled, 8u);
  EXPECT_NEAR(outcome->averageNormalizedLoss, 1 - 33.0 / 70, 1e-6);
}

// A moment after it, at 4 s: the other one goes on.
TEST(Simulation, UnderLookAheadTheEndOfAJobIsDecidedAboutAtOnce) {
  const auto workload = workloadOf(4, {{.name = "a", .losses = linearFall(1), .cost = 8, .most = 2},
                                       {.name = "b", .losses = linearFall(5), .cost = 8, .most = 2}});
  for (const auto policy : {scheduler::findPolicy("LookAhead"), scheduler::findPolicy("Fair")}) {
    std::vector<double> epochs;
    const auto watch = [&](const EpochMoment& moment) { epochs.push_back(moment.time.count()); };
    ASSERT_TRUE(runSimulation(workload, {.settings = published(policy), .watch = watch}));
    EXPECT_EQ(epochs.at(1), 3);
    EXPECT_NEAR(epochs.at(2), policy == scheduler::findPolicy("LookAhead") ? 4.1 : 6, 1e-6);
    EXPECT_NEAR(epochs.at(3), policy == scheduler::findPolicy("LookAhead") ? 6 : 9, 1e-6);
  }
}

TEST(Simulation, TimeWithoutJobsIsPassedOver) {
  std::vector<double> epochs;
  const auto workload = workloadOf(4, {{.name = "a", .losses = linearFall(1)},
                                       {.name = "b", .losses = linearFall(1), .arrival = Seconds(1e6)}});
  const auto outcome = runSimulation(
      workload, {.settings = published(scheduler::findPolicy("Fair")),
                 .watch = [&](const EpochMoment& moment) { epochs.push_back(moment.time.count()); }});
  ASSERT_TRUE(outcome);
  EXPECT_THAT(epochs, ::testing::ElementsAre(0, 3, 1'000'002));
}

// a has ten iterations and b five. Each has two cores until b is over at 20 s, when a has done five as well;
// at 21 s a gets all four.
struct Pair {
  const char* name;
  ResizePauses pauses;
  double completion;
};

class TwoJobs : public ::testing::TestWithParam<Pair> {};

TEST_P(TwoJobs, ShareFairlyUntilOneIsOver) {
  const auto workload = workloadOf(
      4,
      {{.name = "a", .losses = linearFall(10), .cost = 8}, {.name = "b", .losses = linearFall(5), .cost = 8}},
      GetParam().pauses);
  const auto outcome = outcomeOf(workload, published(scheduler::findPolicy("Fair")));
  EXPECT_NEAR(outcome.makespanSeconds, GetParam().completion, 1e-6);
  EXPECT_NEAR(outcome.completionSeconds.mean, (GetParam().completion + 20) / 2, 1e-6);
  EXPECT_EQ(outcome.resizes, 1);
}

INSTANTIATE_TEST_SUITE_P(All, TwoJobs,
                         ::testing::Values(Pair{"Freely", {}, 30.5},
                                           Pair{"Blocking", {.grow = Seconds(5)}, 35.5},
                                           // Until 26 s the two workers do 1.25 iterations, then four do 3.5.
                                           Pair{"NotBlocking", {.grow = Seconds(5), .blocks = false}, 33}),
                         [](const auto& each) { return each.param.name; });

// Alone until 6 s a has done three iterations; then it has two cores and, after a pause if there is one, goes
// on.
TEST(Simulation, AShrinkStopsAJobOnlyWhereItHasAPause) {
  const std::vector<MadeUpJob> jobs = {
      {.name = "a", .losses = linearFall(4), .cost = 8},
      {.name = "b", .losses = linearFall(100), .cost = 8, .arrival = Seconds(6), .most = 2}};
  for (const double pause : {0.0, 5.0}) {
    const auto workload = workloadOf(4, jobs, {.grow = Seconds(5), .shrink = Seconds(pause)});
    std::optional<double> over;
    const auto outcome = runSimulation(workload, {.settings = published(scheduler::findPolicy("Fair")),
                                                  .watch = [&](const EpochMoment& moment) {
                                                    if (moment.completed == 1 && !over)
                                                      over = moment.time.count();
                                                  }});
    ASSERT_TRUE(outcome);
    EXPECT_EQ(over, pause == 0 ? 12 : 15);  // done at 10 s, respectively at 15 s
    EXPECT_EQ(outcome->resizes, 1);
  }
}

TEST(Simulation, CoresThatAreGivenBackAreTakenInTheSameEpoch) {
  std::vector<std::int32_t> cores;
  const auto workload =
      workloadOf(4, {{.name = "a", .losses = linearFall(100), .cost = 8},
                     {.name = "b", .losses = linearFall(2), .cost = 8, .arrival = Seconds(5)}});
  const auto outcome =
      runSimulation(workload, {.settings = published(scheduler::findPolicy("Fair")),
                               .watch = [&](const EpochMoment& moment) { cores.push_back(moment.cores); }});
  ASSERT_TRUE(outcome);
  EXPECT_THAT(cores, ::testing::Each(4));
}

TEST(Simulation, CoresThatAreStillHeldAreWaitedFor) {
  std::vector<std::int32_t> cores;
  const auto workload = workloadOf(4,
                                   {{.name = "a", .losses = linearFall(100), .cost = 8},
                                    {.name = "b", .losses = linearFall(2), .cost = 8, .arrival = Seconds(5)}},
                                   {.release = Seconds(4)});
  const auto outcome =
      runSimulation(workload, {.settings = published(scheduler::findPolicy("Fair")),
                               .watch = [&](const EpochMoment& moment) { cores.push_back(moment.cores); }});
  ASSERT_TRUE(outcome);
  cores.resize(5);  // a shrinks at 6 s; b begins at 12 s
  EXPECT_THAT(cores, ::testing::ElementsAre(4, 4, 2, 2, 4));
}

// a shrinks at 5.1 s, a moment after the arrival of b, and its workers are gone at 7.1 s; the regular epochs
// are at 6 and 9 s.
TEST(Simulation, UnderLookAheadCoresThatComeFreeAreGivenOnAtOnce) {
  std::map<double, std::int32_t> cores;
  const auto workload = workloadOf(4,
                                   {{.name = "a", .losses = linearFall(100), .cost = 8},
                                    {.name = "b", .losses = linearFall(2), .cost = 8, .arrival = Seconds(5)}},
                                   {.release = Seconds(2)});
  const auto watch = [&](const EpochMoment& moment) {
    cores[std::round(10 * moment.time.count())] = moment.cores;
  };
  ASSERT_TRUE(
      runSimulation(workload, {.settings = published(scheduler::findPolicy("LookAhead")), .watch = watch}));
  EXPECT_LT(cores.at(51), 4);
  EXPECT_LT(cores.at(60), 4);
  EXPECT_EQ(cores.at(72), 4);
}

// Workers that go hold their cores for half a second, so that the newcomer begins with less than it is given.
// Its iterations take a hundred times what those of the only other job let expect.
TEST(Simulation, UnderLookAheadANewcomerGetsTheRestOfItsStartOnceCoresAreFree) {
  std::vector<double> falling;
  for (int k = 0; k <= 3000; ++k) falling.push_back(1 / (1 + 0.2 * k));
  Workload workload =
      workloadOf(8,
                 {{.name = "old", .losses = falling, .cost = 0.16, .most = 7},
                  {.name = "new", .losses = linearFall(30), .cost = 16, .arrival = Seconds(15), .most = 8}},
                 {.grow = Seconds(0.1), .release = Seconds(0.5)});
  std::ranges::sort(workload.jobs, {}, &SimulatedJob::name);
  workload.scrape = Seconds(0.25);
  std::map<double, int> held;  // at the end of each tenth of a second
  const auto tell = [&](Seconds now, const loop::EpochReport& report) {
    for (const auto& job : report.plan.jobs) {
      if (job.job.name == "new") held[std::round(10 * now.count())] = job.held.value();
    }
  };
  ASSERT_TRUE(
      runSimulation(workload, {.settings = {.policy = scheduler::findPolicy("LookAhead")}, .tell = tell}));
  EXPECT_EQ(held.at(180), 7) << "the regular epoch after its arrival";
}

TEST(Simulation, SharesOfCoresGoByRankOfLoss) {
  std::optional<EpochMoment> begin;
  const auto workload = workloadOf(8, {{.name = "a", .losses = linearFall(10), .cost = 8},
                                       {.name = "b", .losses = linearFall(10), .cost = 8},
                                       {.name = "c", .losses = linearFall(10), .cost = 8},
                                       {.name = "d", .losses = linearFall(10), .cost = 8}});
  const auto outcome = runSimulation(workload, {.settings = published(scheduler::findPolicy("Fair")),
                                                .watch = [&](const EpochMoment& moment) {
                                                  if (!begin) begin = moment;
                                                }});
  ASSERT_TRUE(outcome && begin);
  EXPECT_EQ(begin->active, 4u);
  EXPECT_EQ(begin->averageNormalizedLoss, 1);
  EXPECT_EQ(begin->highest, 0.25);
  EXPECT_EQ(begin->middle, 0.25);
  EXPECT_EQ(begin->lowest, 0.5);
}

TEST(Simulation, SaysWhenNothingWillEverMove) {
  scheduler::Settings settings = published(scheduler::findPolicy("Fair"));
  settings.mode = Mode::Observe;  // touches no pod: no job starts
  const auto outcome =
      runSimulation(workloadOf(4, {{.name = "a", .losses = linearFall(10), .arrival = Seconds(4)}}),
                    {.settings = settings});
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message, ::testing::StartsWith("no job has moved since second 6:"));
}

TEST(Simulation, RefusesAtOnceWhatWouldTakeForEver) {
  const auto slow = runSimulation(workloadOf(4, {{.name = "a", .losses = linearFall(10), .cost = 1e9}}), {});
  ASSERT_FALSE(slow);
  EXPECT_EQ(
      slow.error().message,
      "job a takes 2500000000 s at least, and no more than 1000000 epochs of 3 s are simulated; give shorter "
      "traces, fewer cpuSecondsPerIteration, or more epochSeconds");
  std::vector<MadeUpJob> jobs;
  jobs.reserve(100);
  for (int i = 0; i < 100; ++i)
    jobs.push_back({.name = "job-" + std::to_string(i), .losses = linearFall(10), .cost = 1e5});
  const auto many = runSimulation(workloadOf(4, jobs), {.mostEpochs = 1e5});
  ASSERT_FALSE(many);
  EXPECT_THAT(many.error().message, ::testing::StartsWith("all jobs together take 25000000 s at least"));
}

// Each could be over in time, both together, too, but the second comes late.
TEST(Simulation, EndsAfterSoManyEpochs) {
  const auto outcome = runSimulation(
      workloadOf(4, {{.name = "a", .losses = linearFall(8), .cost = 3, .most = 1},
                     {.name = "b", .losses = linearFall(8), .cost = 3, .arrival = Seconds(24), .most = 1}}),
      {.settings = published(scheduler::findPolicy("Fair")), .mostEpochs = 10});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().message,
            "1 of 2 jobs are not over at second 27, after 10 epochs: no more are simulated");
}

// Random workloads under every policy: never more cores than there are, and no work from nowhere.
class RandomWorkloads : public ::testing::TestWithParam<const scheduler::Policy*> {
 protected:
  std::vector<double> losses() {
    const int last = std::uniform_int_distribution(1, 120)(random_);
    const double pace = std::uniform_real_distribution(0.5, 20.0)(random_);
    const double noise = std::uniform_int_distribution(0, 1)(random_) * 0.02;
    std::vector<double> losses;
    for (int k = 0; k <= last; ++k) {
      losses.push_back(1 / (1 + k / pace) + noise * std::normal_distribution()(random_));
    }
    return losses;
  }

  Workload workload() {
    const int cores = std::uniform_int_distribution(2, 40)(random_);
    std::vector<MadeUpJob> jobs;
    for (int i = std::uniform_int_distribution(1, 12)(random_); i > 0; --i) {
      const int least = std::uniform_int_distribution(1, 2)(random_);
      jobs.push_back({.name = "job-" + std::to_string(10 + i),
                      .losses = losses(),
                      .cost = std::uniform_real_distribution(0.5, 40.0)(random_),
                      .arrival = Seconds(std::uniform_real_distribution(0.0, 200.0)(random_)),
                      .least = least,
                      .most = least + std::uniform_int_distribution(0, 40)(random_)});
    }
    std::ranges::sort(jobs, {}, &MadeUpJob::name);
    if (random_() % 2 == 0) return workloadOf(cores, jobs);
    const auto pause = [&] { return Seconds(std::uniform_int_distribution(0, 7)(random_)); };
    return workloadOf(cores, jobs, {.grow = pause(), .shrink = pause(), .blocks = random_() % 2 == 0});
  }

  std::mt19937 random_{42};
};

TEST_P(RandomWorkloads, EndWithinTheirCores) {
  for (int round = 0; round < 60; ++round) {
    const Workload workload = this->workload();
    scheduler::Settings settings = published(GetParam());
    // As published a policy that has to pause may resize for ever and get nowhere.
    if (workload.jobs.front().pauses != ResizePauses()) settings.price = scheduler::ResizePrice();
    double held = 0;
    const auto watch = [&](const EpochMoment& moment) {
      ASSERT_LE(Cores(1000) * Workers(moment.cores), workload.cores);
      held += moment.cores * workload.epoch.count();
      ASSERT_NEAR(moment.highest + moment.middle + moment.lowest, moment.cores > 0 ? 1 : 0, 1e-9);
    };
    const auto outcome = runSimulation(workload, {.settings = settings, .watch = watch});
    ASSERT_TRUE(outcome) << outcome.error().message;
    double work = 0;
    for (const auto& job : workload.jobs) {
      work += job.coreSecondsPerIteration * static_cast<double>(job.trace->losses.size() - 1);
    }
    EXPECT_LE(work, held + 1e-6);
    EXPECT_LE(outcome->completionSeconds.mean, outcome->makespanSeconds);
    EXPECT_LE(outcome->secondsToReduction[0]->mean, outcome->secondsToReduction[6]->mean);
  }
}

TEST_P(RandomWorkloads, ComeOutTheSameEveryTime) {
  for (int round = 0; round < 10; ++round) {
    const Workload workload = this->workload();
    const auto once = outcomeOf(workload, published(GetParam()));
    auto timed = runSimulation(workload, {.settings = published(GetParam()), .timed = true});
    ASSERT_TRUE(timed);
    EXPECT_FALSE(timed->decisionMicroseconds.empty());
    EXPECT_EQ(once.averageNormalizedLoss, timed->averageNormalizedLoss);
    EXPECT_EQ(once.meanLossIntegralSeconds, timed->meanLossIntegralSeconds);
    EXPECT_EQ(once.makespanSeconds, timed->makespanSeconds);
    EXPECT_EQ(once.resizes, timed->resizes);
  }
}

std::vector<const scheduler::Policy*> everyPolicy() {
  std::vector<const scheduler::Policy*> all(scheduler::allPolicies().begin(), scheduler::allPolicies().end());
  return all;
}

INSTANTIATE_TEST_SUITE_P(Under, RandomWorkloads, ::testing::ValuesIn(everyPolicy()),
                         [](const auto& each) { return std::string(name(each.param)); });

}  // namespace
}  // namespace slaq::simulate
