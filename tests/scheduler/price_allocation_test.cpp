#include "scheduler/allocation/price_allocation.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <random>

#include "scheduler/allocation/greedy.h"
#include "scheduler/demands.h"
#include "scheduler/policies/look_ahead.h"

namespace slaq::scheduler {
namespace {

// As LookAhead counts where resizes have the default price.
Allocation allocate(std::vector<Demand> jobs, const Allocation& held, const Budget& budget) {
  for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].held = held[j];
  return allocateByPrice(jobs, budget, lookAheadUtility(Seconds(3), ResizePrice())).units;
}

// And where they are free.
UtilityRule freeResizes() { return lookAheadUtility(Seconds(3), {.grow = Seconds(0), .shrink = Seconds(0)}); }

// A growth stops it for five seconds, a shrink for none.
Demand pausingLearner(double amplitude, double rate, int min = 1, int max = 100) {
  Demand demand = learner(amplitude, rate, min, max);
  demand.growPause = 5;
  return demand;
}

TEST(PriceAllocation, LeavesJobsAloneThatAreAboutEven) {
  const std::vector<Demand> jobs = {pausingLearner(1.0, 0.001), pausingLearner(1.1, 0.001)};
  EXPECT_EQ(allocate(jobs, {10, 10}, Cores(20000)), (Allocation{10, 10}));
}

TEST(PriceAllocation, MovesCoresFromAConvergedJobToALearningOne) {
  const std::vector<Demand> jobs = {pausingLearner(1e-9, 0.001), pausingLearner(1, 0.001)};
  EXPECT_EQ(allocate(jobs, {15, 5}, Cores(20000)), (Allocation{1, 19}));
}

// A newcomer began with the one core that was free. While others end their work for it, nothing has changed.
TEST(PriceAllocation, KeepsToWhatWasDecidedUntilOthersHaveGivenTheCoresBack) {
  std::vector<Demand> jobs = {pausingLearner(1, 0.1, 1, 8), pausingLearner(1e-6, 0.001, 1, 8)};
  EXPECT_EQ(allocate(jobs, {1, 1}, Cores(9000)), (Allocation{1, 8}));
  jobs[0].awaited = 8;
  EXPECT_EQ(allocate(jobs, {1, 1}, Cores(9000)), (Allocation{8, 1}));
}

// A job can keep the size that it has, whatever it waits for.
TEST(PriceAllocation, MayKeepWhatAJobThatChangesInPlaceHas) {
  Demand job = learner(1, 0.1, 1, 80);
  job.inPlace = true;
  job.held = 40;
  job.awaited = 80;
  EXPECT_TRUE(std::isfinite(Utility(job, lookAheadUtility(Seconds(3), ResizePrice())).at(40)));
}

TEST(PriceAllocation, StopsNobodyForASingleCore) {
  const std::vector<Demand> jobs = {pausingLearner(1, 0.001), pausingLearner(1, 0.001)};
  EXPECT_EQ(allocate(jobs, {10, 10}, Cores(21000)), (Allocation{10, 10}));
  auto free = jobs;
  free[0].growPause = free[1].growPause = 0;
  const auto moved = allocate(free, {10, 10}, Cores(22000));
  EXPECT_EQ(moved[0] + moved[1], 22);
}

TEST(PriceAllocation, CountsTheWorkThatAChangeLoses) {
  auto jobs = std::vector{pausingLearner(0.5, 0.001), pausingLearner(1, 0.001)};
  EXPECT_LT(allocate(jobs, {19, 1}, Cores(20000))[0], 19);
  jobs[0].lost = jobs[1].lost = 1000;
  EXPECT_EQ(allocate(jobs, {19, 1}, Cores(20000))[0], 19);
}

TEST(PriceAllocation, GivesOnlySizesThatAreAllowed) {
  const std::vector<Workers> powers = {Workers(1), Workers(2),  Workers(4),
                                       Workers(8), Workers(16), Workers(32)};
  std::vector<Demand> jobs = {pausingLearner(1, 0.001, 1, 32), pausingLearner(1.1, 0.001, 1, 32),
                              pausingLearner(1, 0.002)};
  jobs[0].allowed = jobs[1].allowed = powers;
  for (int cores = 3; cores < 80; ++cores) {
    const auto units = allocate(jobs, {0, 0, 0}, Cores(1000 * cores));
    EXPECT_TRUE(jobs[0].allows(units[0]) && jobs[1].allows(units[1])) << units[0] << " " << units[1];
    EXPECT_LE(units[0] + units[1] + units[2], cores);
    EXPECT_GE(units[0] + units[1] + units[2], std::min(cores - 1, 60)) << cores;
  }
}

TEST(PriceAllocation, AJobWhoseSizeIsNoLongerAllowedChangesIt) {
  const std::vector<Workers> powers = {Workers(1), Workers(2), Workers(4)};
  auto job = pausingLearner(1, 0.001, 1, 4);
  job.allowed = powers;
  EXPECT_EQ(allocate({job}, {3}, Cores(8000)), (Allocation{4}));
}

TEST(PriceAllocation, CountsThePauseOfAShrink) {
  auto jobs = std::vector{pausingLearner(0.5, 0.001), pausingLearner(1, 0.001)};
  EXPECT_LT(allocate(jobs, {19, 1}, Cores(20000))[0], 19);
  jobs[0].shrinkPause = jobs[1].growPause = 29;
  EXPECT_EQ(allocate(jobs, {19, 1}, Cores(20000))[0], 19);
}

TEST(PriceAllocation, StartsNewcomersWithoutAPause) {
  const std::vector<Demand> jobs = {pausingLearner(0.01, 0.001), pausingLearner(1, 0.001)};
  const auto allocation = allocate(jobs, {20, 0}, Cores(20000));
  EXPECT_GT(allocation[1], 15);
}

TEST(PriceAllocation, FindsThePriceAmongManyJobsToo) {
  std::vector<Demand> jobs;
  Allocation held;
  for (int j = 0; j < 1500; ++j) {
    jobs.push_back(pausingLearner(1, j % 3 == 0 ? 1e-9 : 0.001));
    held.push_back(j % 3 == 0 ? 18 : 0);
  }
  const auto allocation = allocate(jobs, held, Cores(9'000'000));
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    ASSERT_GE(allocation[j], j % 3 == 0 ? 1 : 8);
    ASSERT_LE(allocation[j], j % 3 == 0 ? 1 : 9);
  }
  EXPECT_EQ(coresOf(jobs, allocation), Cores(9'000'000));
}

TEST(PriceAllocation, TakesNoMoreThanANewcomerNeedsFromJobsNearTheirLeast) {
  // Less than a tenth is not worth a change, but nobody else has any.
  std::vector<Demand> jobs(3, pausingLearner(1, 0.001, 20, 100));
  for (auto& job : jobs) {
    job.perUnit = Cores(50);
    job.inPlace = true;
  }
  jobs.push_back(pausingLearner(1, 0.001));
  jobs.back().perUnit = Cores(50);
  EXPECT_EQ(allocate(jobs, {21, 21, 21, 0}, Cores(63 * 50)), (Allocation{21, 21, 20, 1}));
}

TEST(PriceAllocation, LeavesAChangeInPlaceThatIsTooSmall) {
  std::vector<Demand> jobs = {pausingLearner(1, 0.001)};
  jobs[0].perUnit = Cores(50);
  jobs[0].growPause = 0;
  jobs[0].inPlace = true;
  EXPECT_EQ(allocate(jobs, {37}, Cores(40 * 50)), Allocation{37});
  EXPECT_EQ(allocate(jobs, {36}, Cores(40 * 50)), Allocation{40});
}

// Whatever the jobs: within capacity, minimum and maximum.
TEST(PriceAllocation, KeepsItsInvariants) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform;
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int round = 0; round < 500; ++round) {
    std::vector<Demand> jobs;
    Allocation held;
    Cores capacity(1000 * whole(0, 40));
    const int count = round % 50 == 0 ? 200 : 1 + round % 9;
    for (int j = 0; j < count; ++j) {
      const int min = whole(1, 4);
      jobs.push_back(pausingLearner(uniform(random), uniform(random), min, min + whole(0, 10)));
      jobs.back().perUnit = Cores(500 * whole(1, 4));
      jobs.back().shrinkPause = 3 * uniform(random);
      held.push_back(whole(0, 1) ? whole(min, 15) : 0);
      capacity += jobs.back().cores(min);
    }
    const auto allocation = allocate(jobs, held, capacity);
    ASSERT_LE(coresOf(jobs, allocation), capacity);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      ASSERT_GE(allocation[j], jobs[j].min);
      ASSERT_LE(allocation[j], jobs[j].max);
    }
  }
}

// A job somewhere on a curve of any shape, whose iterations take a core from a part of a second to a minute.
enum class Shape { WholeIterations, Plateaus, Slopes };

std::vector<double> lossesOf(Shape shape, double a, double b) {
  std::vector<double> losses;
  for (int k = 0; k <= 60; ++k) {
    switch (shape) {
      case Shape::WholeIterations:
        losses.push_back(a * std::exp(-(0.05 + b) * k));
        break;
      case Shape::Plateaus:
        losses.push_back(a * (1 - std::floor(k / (3 + 10 * b)) / 20));
        break;
      case Shape::Slopes:
        losses.push_back(a / (1 + std::exp(0.3 * (k - 30 * b))));
        break;
    }
  }
  return losses;
}

// Jobs with a little more than their minimums to be divided.
struct RandomProblem {
  std::deque<std::vector<double>> tables;  // of the curves, which stay where they are
  std::vector<Demand> jobs;
  Budget budget;
  UtilityRule rule;
};

class Problems : public Random {
 public:
  using Random::Random;

  // All units are of a core, and no group is limited.
  RandomProblem even(int jobs, int most) {
    RandomProblem problem;
    for (int i = 0; i < jobs; ++i) add(problem, most);
    const bool isFree = whole(0, 1) == 0;
    problem.rule = isFree ? freeResizes() : lookAheadUtility(Seconds(3), ResizePrice());
    for (auto& job : problem.jobs) {
      if (whole(0, 1) == 0) job.held = whole(job.min, job.max);
      if (!isFree) job.growPause = 10 * part();
      if (!isFree) job.shrinkPause = 3 * part();
    }
    problem.budget.all += Cores(1000 * whole(0, jobs * most / 2));
    return problem;
  }

  // Units differ, some jobs change in place, and some are of a limited group.
  RandomProblem uneven(int jobs, int most) {
    RandomProblem problem = even(jobs, most);
    problem.budget = Cores();
    problem.budget.groups = {Cores(500 * whole(0, 4)), Cores(500 * whole(0, 8))};
    for (auto& job : problem.jobs) {
      job.perUnit = Cores(500 * whole(1, 4));
      job.inPlace = whole(0, 3) == 0;
      if (job.inPlace) job.growPause = job.shrinkPause = 0;
      job.group = whole(0, 2) - 1;
      if (job.group != kNoGroup)
        problem.budget.groups[static_cast<std::size_t>(job.group)] += job.cores(job.min);
      problem.budget.all += job.cores(job.min);
    }
    problem.budget.all += Cores(500 * whole(0, jobs * most));
    return problem;
  }

 private:
  void add(RandomProblem& problem, int most) {
    const auto shape = static_cast<Shape>(whole(0, 2));
    problem.tables.push_back(lossesOf(shape, 0.2 + part(), part()));
    const int min = std::array{1, 2, 4}[static_cast<std::size_t>(whole(0, 2))];
    Demand job{.min = min, .max = min + whole(0, most)};
    job.iteration = 5 * part();
    job.speed = forecast::SpeedCurve::parallel(std::exp(4 * part()));
    job.curve = {.family = forecast::CurveFamily::Tabulated, .table = problem.tables.back()};
    problem.jobs.push_back(job);
    problem.budget.all += job.cores(job.min);
  }
};

double utilityOf(const RandomProblem& problem, const Allocation& allocation) {
  double sum = 0;
  for (std::size_t i = 0; i < problem.jobs.size(); ++i)
    sum += Utility(problem.jobs[i], problem.rule).at(allocation[i]);
  return sum;
}

// The largest sum of utilities of any allocation within the budget, by trying all of them.
double bestOfAll(const RandomProblem& problem, Allocation& chosen, const Budget& left, std::size_t next = 0) {
  if (next == problem.jobs.size()) return utilityOf(problem, chosen);
  const Demand& job = problem.jobs[next];
  double best = -std::numeric_limits<double>::infinity();
  Budget rest = left;
  for (chosen[next] = job.min; chosen[next] <= job.max && rest.covers(); ++chosen[next]) {
    best = std::max(best, bestOfAll(problem, chosen, rest, next + 1));
    rest.take(job.perUnit, job.group);
  }
  chosen[next] = job.min;
  return best;
}

double bestOfAll(const RandomProblem& problem) {
  Allocation chosen;
  for (const auto& job : problem.jobs) chosen.push_back(job.min);
  return bestOfAll(problem, chosen, leftByMinimums(problem.jobs, problem.budget));
}

// What the allocations of random problems reach of the best possible ones.
template <class Draw>
double shareOfTheBest(int rounds, Draw draw) {
  double found = 0;
  double best = 0;
  for (int round = 0; round < rounds; ++round) {
    const RandomProblem problem = draw();
    const auto allocation = allocateByPrice(problem.jobs, problem.budget, problem.rule).units;
    EXPECT_TRUE(leftBy(problem.jobs, allocation, problem.budget).covers()) << round;
    const double sum = utilityOf(problem, allocation);
    const double exact = bestOfAll(problem);
    EXPECT_LE(sum, exact * (1 + 1e-9)) << round;
    found += sum;
    best += exact;
  }
  ::testing::Test::RecordProperty("share", std::to_string(found / best));
  return found / best;
}

TEST(PriceAllocation, ComesWithinAThousandthOfTheBestOfAllAllocations) {
  Problems problems(2);
  EXPECT_GE(shareOfTheBest(1500, [&] { return problems.even(problems.whole(2, 4), 8); }), 0.999);
}

TEST(PriceAllocation, ComesNearTheBestWhereUnitsDifferAndGroupsAreLimited) {
  Problems problems(3);
  EXPECT_GE(shareOfTheBest(1500, [&] { return problems.uneven(problems.whole(2, 4), 8); }), 0.995);
}

// Where utilities are concave and units alike, unit by unit to the largest gain is best.
TEST(PriceAllocation, LosesNothingOfNoteAgainstUnitByUnitForManyConcaveJobs) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 30; ++round) {
    std::vector<Demand> jobs;
    for (int j = 0; j < 400; ++j) {
      jobs.push_back(pausingLearner(uniform(random), std::exp(-8 * uniform(random)), 1, 200));
      jobs.back().growPause = 0;
      jobs.back().speed = forecast::SpeedCurve::parallel(std::exp(6 * uniform(random) - 3));
    }
    const Budget budget(Cores(1000 * (400 + static_cast<int>(20000 * uniform(random)))));
    const auto byUnits = giveUnitByUnit(jobs, budget, [](const Demand& job, std::int32_t units) {
      return Utility(job, freeResizes()).gainPerCoreSecond(units, units + 1);
    });
    const RandomProblem problem{.tables = {}, .jobs = jobs, .budget = budget, .rule = freeResizes()};
    const double found = utilityOf(problem, allocateByPrice(jobs, budget, freeResizes()).units);
    ASSERT_GE(found, (1 - 1e-4) * utilityOf(problem, byUnits)) << round;
  }
}

TEST(PriceAllocation, GivesALimitedGroupAPriceOfItsOwn) {
  std::vector<Demand> jobs(4, pausingLearner(1, 0.01));
  jobs[0].group = jobs[1].group = 0;
  Budget budget(Cores(40000));
  budget.groups = {Cores(6000)};
  const auto priced = allocateByPrice(jobs, budget, freeResizes());
  EXPECT_EQ(priced.units, (Allocation{3, 3, 17, 17}));
  EXPECT_EQ(priced.gains[0].price, priced.gains[1].price);
  EXPECT_EQ(priced.gains[2].price, *priced.price);
  EXPECT_GT(priced.gains[0].price, *priced.price);
}

TEST(PriceAllocation, HasAPriceOfZeroWhereThereIsMoreThanAnybodyCanUse) {
  const std::vector<Demand> jobs(2, pausingLearner(1, 0.01, 1, 4));
  const auto priced = allocateByPrice(jobs, Cores(20000), freeResizes());
  EXPECT_EQ(priced.units, (Allocation{4, 4}));
  EXPECT_EQ(priced.price, 0);
}

TEST(PriceAllocation, HasNoPriceWhereNobodyHasAChoice) {
  const std::vector<Demand> jobs(2, pausingLearner(1, 0.01, 3, 3));
  EXPECT_FALSE(allocateByPrice(jobs, Cores(20000), freeResizes()).price);
}

// The jobs of a group at its limit would all take a step of the same worth, and only some of them can.
TEST(PriceAllocation, GivesALimitedGroupWhatFitsOfSteps) {
  std::vector<Demand> jobs(400, pausingLearner(1, 1e-4, 1, 9));
  for (auto& job : jobs) {
    job.group = 0;
    job.held = 1;
  }
  Budget budget(Cores(10'000'000));
  budget.groups = {Cores(2'000'000)};
  const auto priced = allocateByPrice(jobs, budget, lookAheadUtility(Seconds(3), ResizePrice()));
  const Cores left = leftBy(jobs, priced.units, budget).groups[0];
  EXPECT_GE(left, Cores());
  EXPECT_LT(left, Cores(8000));
  EXPECT_GE(priced.gains[0].price, *priced.price);
}

// A newcomer would be done within a tenth of a second with one worker, if it were as fast as others let
// expect. Where that is not certain, more workers are worth what they bring if it is slow.
TEST(PriceAllocation, CountsThatANewcomerMayBeSlowerThanOthersLetExpect) {
  Demand newcomer = learner(1, 0.05, 1, 8);
  newcomer.speed = forecast::SpeedCurve::parallel(0.001);
  const Demand slow = learner(1, 0.0001, 1, 8);
  EXPECT_EQ(allocate({newcomer, slow}, {0, 0}, Cores(8000))[0], 1);
  newcomer.slowness = {0.0001, 1, 10000};
  EXPECT_GT(allocate({newcomer, slow}, {0, 0}, Cores(8000))[0], 4);
}

TEST(PriceAllocation, LooksBeyondTheStartOfAProgramHoweverLongItTakes) {
  Demand job = learner(1, 1, 1, 10, Cores(100));
  job.inPlace = true;
  job.startWork = 60;
  const Utility utility(job, lookAheadUtility(Seconds(3), ResizePrice()));
  EXPECT_GT(utility.at(10), utility.at(5));
  EXPECT_GT(utility.at(5), 0);
}

}  // namespace
}  // namespace slaq::scheduler
