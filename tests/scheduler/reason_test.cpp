// Decisions explain themselves, with the figures that decided.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "scheduler/demands.h"
#include "scheduler/policy/gain_reason.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(Reason, SaysWhatTheNextWorkerGainsAndWhatItCosts) {
  World world(Cores(10000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 6);
  world.learned(0, 0.05);
  world.learned(1, 0.002);
  const auto plan = world.decide();
  ASSERT_TRUE(plan.price);
  EXPECT_GT(*plan.price, 0);
  for (const auto& job : plan.jobs) {
    EXPECT_THAT(job.reason,
                ::testing::AnyOf(HasSubstr(", under the price 0.0"), HasSubstr(", the price is 0.0"),
                                 HasSubstr("would not make up for the pause of a resize")));
  }
}

TEST(Reason, OfAShrinkSaysWhatIsLost) {
  World world(Cores(8000));
  run(world.add(viewOf("converged")), 4);
  run(world.add(viewOf("learns")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_THAT(sentenceOf(plan.jobs[0]),
              MatchesRegex("4 -> 1: its last 3 workers gain nothing; learns gets them"));
  EXPECT_THAT(sentenceOf(plan.jobs[1]),
              MatchesRegex("4 -> 7: 3 more workers gain 0.[0-9]+, just over the price; converged gives them; "
                           "waits for 3 cores that others are giving back"));
}

TEST(Reason, NamesTheNewcomerThatGetsTheCores) {
  World world(Cores(8000));
  run(world.add(viewOf("converged")), 8);
  world.add(viewOf("newcomer"));
  world.learned(0, 1.0);
  observe(world.historyOf(1), world.viewAt(1), slaq::testing::at(99));
  const auto predictor = makePredictor(world.settings.predictor, forecast::defaultConstants());
  expect(world.historyOf(1), world.specOf(1), *predictor, {});
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].handover, "newcomer gets them and starts");
  EXPECT_EQ(plan.jobs[1].handover, "converged gives them");
}

TEST(Reason, NamesAJobOfAnotherNamespaceInFull) {
  World world(Cores(8000));
  run(world.add(viewOf("converged")), 4);
  run(world.add(viewOf("learns")), 4);
  world.viewAt(1).job.key.ns = "vision";
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  EXPECT_EQ(world.decide().jobs[0].handover, "vision/learns gets them");
}

TEST(Reason, NamesNobodyWhereAllThatChangeGrow) {
  World world(Cores(64000));
  run(world.add(viewOf("a", 1, 8)), 4);
  run(world.add(viewOf("b", 1, 8)), 4);
  world.learned(0, 0.001);
  world.learned(1, 0.001);
  for (const JobPlan& job : world.decide().jobs) {
    EXPECT_EQ(job.target, Workers(8));
    EXPECT_EQ(job.handover, "");
  }
}

TEST(Reason, OfAJobAtItsMaximumSaysSo) {
  World world(Cores(8000));
  run(world.add(viewOf("a", 1, 4)), 4);
  world.learned(0, 0.001);
  EXPECT_EQ(sentenceOf(world.decide().jobs[0]), "keeps 4: all that it may have");
}

TEST(Reason, UnderMinQualityComparesLevels) {
  World world(Cores(8000));
  world.settings.policy = findPolicy("MinQuality");
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_FALSE(plan.price);
  EXPECT_THAT(sentenceOf(plan.jobs[0]),
              MatchesRegex("4 -> 1: its level in 30 s is [-0-9.e]+, the worst job's 0.[0-9]+; b gets them"));
}

TEST(Reason, ComesWithTheLossThatIsExpectedAtTheNextEpoch) {
  World world(Cores(4000));
  run(world.add(viewOf("a")), 4);
  world.learned(0, 0.01);  // two iterations a second, 40 or nearly 41 so far
  const auto plan = world.decide();
  ASSERT_TRUE(plan.jobs[0].forecast);
  EXPECT_NEAR(plan.jobs[0].forecast->value(), std::exp(-0.01 * 46.5), 4e-3);
}

// A job that has converged, with a change behind it, beside one that could use its workers.
class ReasonOfAConvergedJob : public ::testing::TestWithParam<const char*> {
 protected:
  ReasonOfAConvergedJob() { learn(world_, 1.0, 0.001); }

  static void learn(World& world, double rate, double other) {
    world.settings.policy = findPolicy(GetParam());
    run(world.add(viewOf("converged")), 4);
    run(world.add(viewOf("learns")), 4);
    world.viewAt(0).job.spec.workers.restart = {.pause = Seconds(10), .checkpointed = true};
    world.learned(0, rate);
    world.learned(1, other);
    world.historyOf(0).pods.running = Cores(4000);
    world.historyOf(0).resizes.grew = at(75);
  }

  World world_{Cores(8000)};
};

TEST_P(ReasonOfAConvergedJob, NamesTheGrowthThatIsToPayFirst) {
  EXPECT_THAT(sentenceOf(world_.decide().jobs[0]),
              MatchesRegex("keeps 4: .*; it keeps what it has until its last growth had time to pay"));
}

TEST_P(ReasonOfAConvergedJob, NamesNoRuleThatIsNotApplied) {
  world_.historyOf(0).resizes.grew = at(0);
  EXPECT_THAT(sentenceOf(world_.decide().jobs[0]), MatchesRegex("4 -> 1: its last 3 workers gain .*"));
  EXPECT_THAT(sentenceOf(world_.decide().jobs[0]), ::testing::Not(HasSubstr("it keeps")));
  // Where the other one has converged it would give none of what it has.
  World other(Cores(8000));
  learn(other, 0.001, 1.0);
  EXPECT_THAT(sentenceOf(other.decide().jobs[0]), ::testing::Not(HasSubstr("it keeps")));
}

INSTANTIATE_TEST_SUITE_P(Policy, ReasonOfAConvergedJob, ::testing::Values("LookAhead", "TotalQuality"));

// A change of a worker's CPU by less than a tenth is not worth the trouble: the figures are those of the next
// one that is.
TEST(Reason, OfAWorkersCpuIsAboutTheNextChangeThatIsWorthIt) {
  World world(Cores(4550));
  auto& cpu = run(world.add(viewOf("cpu", 1, 1)), 1);
  cpu.job.spec.workers.scaling = Scaling::CPU;
  cpu.job.spec.workers.cpu = {.min = Cores(200), .max = Cores(8000)};
  cpu.workers.cpu = CpuView{.asked = Cores(4000), .held = Cores(4000), .settled = true};
  run(world.add(viewOf("grows", 1, 2, Cores(250))), 1);
  world.learned(0, 0.02);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_THAT(sentenceOf(plan.jobs[0]), MatchesRegex("keeps 4 cores: 0.4 more cores would gain .*"));
  cpu.job.spec.workers.max = Workers(2);
  EXPECT_THAT(sentenceOf(world.decide().jobs[0]), HasSubstr("400m more for each worker would gain"));
}

TEST(Reason, OfAJobThatIsNotFasterWithMoreSaysSo) {
  std::vector<Demand> demands = {learner(1, 0.01, 1, 8)};
  demands[0].held = 2;
  const AllocationProblem problem{.demands = demands, .budget = Budget(Cores(8000))};
  const Division division{.allocation = {2}, .gains = {{.next = 0, .nextUnits = 3}}};
  const Budget left(Cores(6000));
  const ExplainedJob job{.problem = problem, .division = division, .left = left, .place = 0, .mostUnits = 8};
  EXPECT_EQ(explainByGain(job, {}), "a third worker would gain nothing");
  demands[0].speed = demands[0].speed.levelFrom(2);
  EXPECT_EQ(explainByGain(job, {}), "it is not faster with 1 more worker");
}

// Jobs at all stages, on about their part of the cores, under a policy that goes by gains.
World randomCluster(Random& random, const Policy& policy) {
  const int jobs = random.whole(2, 12);
  World world(Cores(1000 * jobs * random.whole(2, 8)));
  world.settings.policy = &policy;
  if (random.whole(0, 1) == 0) world.settings.price = {.grow = Seconds(0), .shrink = Seconds(0)};
  if (random.whole(0, 2) == 0) world.settings.limits["default"] = {.cores = Cores(1000 * jobs * 2)};
  for (int j = 0; j < jobs; ++j) {
    auto view = viewOf(std::string(1, static_cast<char>('a' + j)), 1, random.whole(4, 30));
    if (random.whole(0, 1) == 0) view.job.key.ns = "other";
    const bool runs = random.whole(0, 4) > 0;
    auto& added = world.add(view);
    if (runs) run(added, random.whole(1, 4));
    if (runs) world.learned(static_cast<std::size_t>(j), std::exp(-6 * random.part()));
    if (runs) world.historyOf(static_cast<std::size_t>(j)).losses.model->backTestError = 0.01;
  }
  return world;
}

// How often each kind of sentence was said, and its figures checked.
struct Said {
  int keeps = 0;
  int grows = 0;
  int shrinks = 0;
  int other = 0;
};

// Every sentence that compares a gain with the price tells the truth about the figures of the decision: who
// keeps its size gains less by one more than the price says, who grows gains more, who shrinks loses less.
void check(const JobPlan& job, Said& said) {
  std::smatch found;
  const std::regex keeps(
      "(.*) worker would gain ([-0-9.]+), (?:under the price ([-0-9.]+)|just under the price)");
  const std::regex grows(
      "(\\d+) more workers? gains? ([-0-9.]+), (?:the price is ([-0-9.]+)|just over the price)");
  const std::regex shrinks(
      "its last (?:(\\d+) )?workers? gains? ([-0-9.]+), (?:under the price ([-0-9.]+)|just under the price)");
  const auto gain = [&] { return std::stod(found[2]); };
  const auto price = [&] { return found[3].matched ? std::stod(found[3]) : gain(); };
  if (std::regex_match(job.reason, found, keeps)) {
    ++said.keeps;
    EXPECT_LE(gain(), price()) << job.reason;
    EXPECT_NEAR(gain(), job.gainPerCore, 0.05 * gain()) << job.reason;
    EXPECT_TRUE(job.held == Workers(0) || job.target == job.held) << sentenceOf(job);
  } else if (std::regex_match(job.reason, found, grows)) {
    ++said.grows;
    EXPECT_GE(gain(), price()) << job.reason;
    EXPECT_EQ(std::stoi(found[1]), (job.target - job.held).value());
  } else if (std::regex_match(job.reason, found, shrinks)) {
    ++said.shrinks;
    EXPECT_LE(gain(), price()) << job.reason;
    EXPECT_EQ(found[1].matched ? std::stoi(found[1]) : 1, (job.held - job.target).value());
  } else {
    ++said.other;
  }
}

class ReasonUnder : public ::testing::TestWithParam<const char*> {};

TEST_P(ReasonUnder, TellsTheFiguresThatDecided) {
  Said said;
  for (unsigned seed = 0; seed < 500; ++seed) {
    Random random(seed);
    World world = randomCluster(random, *findPolicy(GetParam()));
    const Plan plan = world.decide();
    for (const auto& job : plan.jobs) {
      if (job.phase == Phase::Quality) check(job, said);
      EXPECT_THAT(job.reason, ::testing::Not(HasSubstr("nan")));
      EXPECT_THAT(job.reason, ::testing::Not(::testing::ContainsRegex("[0-9]e-[0-9]"))) << job.reason;
      EXPECT_THAT(job.reason, ::testing::Not(::testing::ContainsRegex("[.]0*[1-9][0-9][0-9][0-9][0-9]")));
    }
  }
  EXPECT_GT(said.keeps, 50);
  EXPECT_GT(said.grows, 100);
  EXPECT_GT(said.shrinks, 100);
  RecordProperty("other", said.other);
}

INSTANTIATE_TEST_SUITE_P(Policy, ReasonUnder, ::testing::Values("LookAhead", "TotalQuality"));

}  // namespace
}  // namespace slaq::scheduler
