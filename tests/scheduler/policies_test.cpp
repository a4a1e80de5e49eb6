#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "scheduler/allocation/fair_share.h"
#include "scheduler/demands.h"
#include "scheduler/policies/min_quality.h"
#include "scheduler/policies/total_quality.h"
#include "scheduler/policy/resize_price.h"

namespace slaq::scheduler {
namespace {

// Algorithm 1 as printed in the paper, with a linear search instead of a priority queue.
Allocation asPrinted(std::span<const Demand> jobs, int cores) {
  Allocation alloc(jobs.size(), 1);
  cores -= static_cast<int>(jobs.size());
  const auto gain = [&](std::size_t j) {
    return jobs[j].reduction(alloc[j] + 1, kEpoch.count()) - jobs[j].reduction(alloc[j], kEpoch.count());
  };
  while (cores > 0) {
    std::size_t best = 0;
    for (std::size_t j = 1; j < jobs.size(); ++j) {
      if (gain(j) > gain(best)) best = j;
    }
    ++alloc[best];
    --cores;
  }
  return alloc;
}

TEST(TotalQuality, IsAlgorithm1WhereAWorkerIsACore) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 200; ++round) {
    std::vector<Demand> jobs;
    const int count = 2 + round % 7;
    for (int j = 0; j < count; ++j) jobs.push_back(learner(uniform(random), 0.01 + 0.2 * uniform(random)));
    const int cores = count + round % 50;
    EXPECT_EQ(totalQuality(jobs, Cores(1000 * cores), kEpoch), asPrinted(jobs, cores));
  }
}

TEST(TotalQuality, GivesTheCoresToTheJobThatStillLearns) {
  const std::vector<Demand> jobs = {learner(1e-9, 0.1), learner(1, 0.1)};
  EXPECT_EQ(totalQuality(jobs, Cores(10000), kEpoch), (Allocation{1, 9}));
}

TEST(TotalQuality, PrefersTheHeavierOfTwoEqualJobs) {
  std::vector<Demand> jobs = {learner(1, 0.1), learner(1, 0.1)};
  jobs[1].weight = 4;
  const auto allocation = totalQuality(jobs, Cores(10000), kEpoch);
  EXPECT_GT(allocation[1], allocation[0]);
}

TEST(TotalQuality, ComparesTheGainPerCoreAndSkipsWhatNoLongerFits) {
  // The second job's workers cost four cores: it can't use the last three.
  const std::vector<Demand> jobs = {learner(1e-6, 0.1, 1, 100), learner(1, 0.01, 1, 100, Cores(4000))};
  const auto allocation = totalQuality(jobs, Cores(12000), kEpoch);
  EXPECT_EQ(allocation, (Allocation{4, 2}));
}

// The paper's heuristic as printed, with the largest level for the worst.
Allocation worstFirst(std::span<const Demand> jobs, int cores) {
  Allocation alloc(jobs.size(), 1);
  cores -= static_cast<int>(jobs.size());
  for (; cores > 0; --cores) {
    std::size_t worst = 0;
    for (std::size_t j = 1; j < jobs.size(); ++j) {
      if (jobs[j].level(alloc[j], kEpoch.count()) > jobs[worst].level(alloc[worst], kEpoch.count()))
        worst = j;
    }
    ++alloc[worst];
  }
  return alloc;
}

TEST(MinQuality, GoesCoreByCoreToTheWorstJob) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 200; ++round) {
    std::vector<Demand> jobs;
    const int count = 2 + round % 7;
    for (int j = 0; j < count; ++j)
      jobs.push_back(learner(0.2 + 0.8 * uniform(random), 0.01 + 0.1 * uniform(random)));
    const int cores = count + round % 50;
    EXPECT_EQ(minQuality(jobs, Cores(1000 * cores), kEpoch), worstFirst(jobs, cores));
  }
}

TEST(MinQuality, EvensLevelsOut) {
  // The second job is worse off, but learns more slowly: Algorithm 1 would feed the first.
  const std::vector<Demand> jobs = {learner(0.3, 0.1), learner(0.9, 0.01)};
  const auto allocation = minQuality(jobs, Cores(10000), kEpoch);
  EXPECT_EQ(allocation, (Allocation{1, 9}));
  EXPECT_GT(totalQuality(jobs, Cores(10000), kEpoch)[0], 3);
}

TEST(MinQuality, CountsAHeavierJobAsWorse) {
  std::vector<Demand> jobs = {learner(1, 0.01), learner(1, 0.01)};
  jobs[1].weight = 1.5;
  EXPECT_EQ(minQuality(jobs, Cores(10000), kEpoch), (Allocation{1, 9}));
}

TEST(MinQuality, PrefersJobsThatCoresCanHelp) {
  auto stuck = learner(1, 0.1);
  stuck.curve = forecast::Curve{.floor = 0.9};  // the worst, and nothing changes that
  const std::vector<Demand> jobs = {stuck, learner(0.5, 0.001)};
  EXPECT_EQ(minQuality(jobs, Cores(10000), kEpoch), (Allocation{1, 9}));
}

TEST(Policies, StayWithinTheBudgetOfEachGroup) {
  std::vector<Demand> jobs = {learner(1, 0.001), learner(1, 0.001), learner(1, 0.001)};
  jobs[0].group = jobs[1].group = 0;
  Budget budget(Cores(12000));
  budget.groups = {Cores(5000)};
  for (const auto& allocation :
       {totalQuality(jobs, budget, kEpoch), minQuality(jobs, budget, kEpoch), fairShare(jobs, budget)}) {
    EXPECT_EQ(allocation[0] + allocation[1], 5);
    EXPECT_EQ(allocation[2], 7);
  }
}

TEST(FairShare, DividesEvenlyAndConservesWork) {
  const std::vector<Demand> jobs = {{.max = 100}, {.max = 2}, {.max = 100}};
  EXPECT_EQ(fairShare(jobs, Cores(12000)), (Allocation{5, 2, 5}));
}

TEST(FairShare, FollowsTheWeights) {
  const std::vector<Demand> jobs = {{.weight = 1, .max = 100}, {.weight = 3, .max = 100}};
  EXPECT_EQ(fairShare(jobs, Cores(12000)), (Allocation{3, 9}));
}

TEST(FairShare, CountsCoresAndNotWorkers) {
  const std::vector<Demand> jobs = {{.max = 100, .perUnit = Cores(2000)},
                                    {.max = 100, .perUnit = Cores(500)}};
  EXPECT_EQ(fairShare(jobs, Cores(8000)), (Allocation{2, 8}));
}

// The order of two jobs changes when the later one becomes ready first. No job is resized for that.
TEST(FairShare, LeavesTheOddCoreWhereItIs) {
  const std::vector<Demand> jobs = {{.max = 100, .held = 4}, {.max = 100, .held = 5}};
  EXPECT_EQ(fairShare(jobs, Cores(9000)), (Allocation{4, 5}));
  EXPECT_EQ(fairShare(jobs, Cores(11000)), (Allocation{6, 5}));
  EXPECT_EQ(fairShare(jobs, Cores(7000)), (Allocation{4, 3}));
}

// Whatever the jobs: within capacity, minimum and maximum; and no worker that fits is left out.
TEST(Policies, KeepTheirInvariants) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform;
  for (int round = 0; round < 2000; ++round) {
    std::vector<Demand> jobs;
    for (int j = 0; j < 1 + round % 9; ++j) {
      const int min = 1 + static_cast<int>(4 * uniform(random));
      const int max = min + static_cast<int>(10 * uniform(random));
      const Cores each(100 * (1 + static_cast<int>(20 * uniform(random))));
      jobs.push_back(learner(uniform(random), uniform(random), min, max, each));
      jobs.back().weight = 1 + static_cast<int>(9 * uniform(random));
    }
    const Cores capacity = Cores() - leftByMinimums(jobs, Cores()).all +
                           Cores(static_cast<std::int64_t>(30000 * uniform(random)));
    for (const auto& allocation : {totalQuality(jobs, capacity, kEpoch), minQuality(jobs, capacity, kEpoch),
                                   fairShare(jobs, capacity)}) {
      const Cores used = coresOf(jobs, allocation);
      ASSERT_LE(used, capacity);
      for (std::size_t j = 0; j < jobs.size(); ++j) {
        ASSERT_GE(allocation[j], jobs[j].min);
        ASSERT_LE(allocation[j], jobs[j].max);
        if (allocation[j] < jobs[j].max) {
          ASSERT_GT(jobs[j].perUnit, capacity - used);
        }
      }
    }
  }
}

Demand holding(Demand demand, std::int32_t units) {
  demand.held = units;
  return demand;
}

TEST(ResizePrice, IsPaidByAJobThatLearnsFast) {
  const ResizePrice price;
  EXPECT_GT(gainOfChange(holding(learner(1, 0.001), 2), 8, price), 0);
  // Nothing left to gain: the pause would be for nothing.
  EXPECT_EQ(gainOfChange(holding(learner(0, 0.001), 2), 8, price), 0);
  // One more worker on ten is less than 5 of 30 seconds.
  EXPECT_LT(gainOfChange(holding(learner(1, 0.001), 10), 11, price), 0);
}

std::vector<Demand> holding(std::vector<Demand> jobs, const Allocation& held) {
  for (std::size_t j = 0; j < jobs.size(); ++j) jobs[j].held = held[j];
  return jobs;
}

Allocation settle(const Policy& policy, const std::vector<Demand>& jobs, const Allocation& held,
                  Cores capacity) {
  const auto demands = holding(jobs, held);
  return policy
      .divide({.demands = demands, .budget = capacity, .epoch = kEpoch, .resizePrice = ResizePrice()})
      .allocation;
}

Allocation settle(const std::vector<Demand>& jobs, const Allocation& held, Cores capacity) {
  return settle(TotalQuality(), jobs, held, capacity);
}

TEST(ResizePrice, LeavesASettledPairAlone) {
  // Algorithm 1 would move one core from the first job to the second.
  const std::vector<Demand> jobs = {learner(1.0, 0.001), learner(1.02, 0.001)};
  ASSERT_NE(totalQuality(jobs, Cores(20000), kEpoch), (Allocation{10, 10}));
  EXPECT_EQ(settle(jobs, {10, 10}, Cores(20000)), (Allocation{10, 10}));
}

TEST(ResizePrice, DoesNotShrinkAJobForNobody) {
  const std::vector<Demand> jobs = {learner(0, 0.1), learner(0, 0.1)};
  EXPECT_EQ(settle(jobs, {7, 3}, Cores(10000)), (Allocation{7, 3}));
}

TEST(ResizePrice, MovesCoresFromAConvergedJobToALearningOne) {
  const std::vector<Demand> jobs = {learner(1e-12, 0.1), learner(1, 0.001)};
  EXPECT_EQ(settle(jobs, {9, 1}, Cores(10000)), (Allocation{1, 9}));
}

TEST(ResizePrice, UnderMinQualityMovesCoresToTheJobThatFallsBehind) {
  const std::vector<Demand> jobs = {learner(0.2, 0.001), learner(0.9, 0.001)};
  EXPECT_EQ(settle(MinQuality(), jobs, {10, 10}, Cores(20000)), (Allocation{1, 19}));
}

TEST(ResizePrice, UnderMinQualityLeavesJobsAloneThatAreAboutEven) {
  const std::vector<Demand> jobs = {learner(0.50, 0.001), learner(0.52, 0.001)};
  ASSERT_NE(minQuality(jobs, Cores(20000), Seconds(30)), (Allocation{10, 10}));
  EXPECT_EQ(settle(MinQuality(), jobs, {10, 10}, Cores(20000)), (Allocation{10, 10}));
}

TEST(ResizePrice, DoesNotApplyToAStart) {
  const std::vector<Demand> jobs = {learner(0, 0.1, 1, 4)};
  EXPECT_EQ(settle(jobs, {0}, Cores(10000)), (Allocation{4}));
}

}  // namespace
}  // namespace slaq::scheduler
