#include "schedule/relocation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "schedule/learned_pauses.h"

namespace slaq {
namespace {

constexpr Seconds kHorizon{30};

// One core-second an iteration; a growth stops it for five seconds, a shrink for none.
Candidate learner(double amplitude, double rate, int min = 1, int max = 100) {
  Candidate candidate{.min = min, .max = max, .growPause = 5};
  candidate.curve = Curve{.family = CurveFamily::Superlinear, .amplitude = amplitude, .rate = rate};
  return candidate;
}

TEST(Relocation, LeavesJobsAloneThatAreAboutEven) {
  const std::vector<Candidate> jobs = {learner(1.0, 0.001), learner(1.1, 0.001)};
  EXPECT_EQ(relocate(jobs, {10, 10}, Cores(20000), kHorizon), (Allocation{10, 10}));
}

TEST(Relocation, MovesCoresFromAConvergedJobToALearningOne) {
  const std::vector<Candidate> jobs = {learner(1e-9, 0.001), learner(1, 0.001)};
  EXPECT_EQ(relocate(jobs, {15, 5}, Cores(20000), kHorizon), (Allocation{1, 19}));
}

TEST(Relocation, StopsNobodyForASingleCore) {
  const std::vector<Candidate> jobs = {learner(1, 0.001), learner(1, 0.001)};
  EXPECT_EQ(relocate(jobs, {10, 10}, Cores(21000), kHorizon), (Allocation{10, 10}));
  auto free = jobs;
  free[0].growPause = free[1].growPause = 0;
  const auto moved = relocate(free, {10, 10}, Cores(22000), kHorizon);
  EXPECT_EQ(moved[0] + moved[1], 22);
}

TEST(Relocation, CountsThePauseOfAShrink) {
  auto jobs = std::vector{learner(0.5, 0.001), learner(1, 0.001)};
  EXPECT_LT(relocate(jobs, {19, 1}, Cores(20000), kHorizon)[0], 19);
  jobs[0].shrinkPause = jobs[1].growPause = 29;
  EXPECT_EQ(relocate(jobs, {19, 1}, Cores(20000), kHorizon)[0], 19);
}

TEST(Relocation, StartsNewcomersWithoutAPause) {
  const std::vector<Candidate> jobs = {learner(0.01, 0.001), learner(1, 0.001)};
  const auto allocation = relocate(jobs, {20, 0}, Cores(20000), kHorizon);
  EXPECT_GT(allocation[1], 15);
}

TEST(Relocation, FindsThePriceAmongManyJobsToo) {
  std::vector<Candidate> jobs;
  Allocation held;
  for (int j = 0; j < 1500; ++j) {
    jobs.push_back(learner(1, j % 3 == 0 ? 1e-9 : 0.001));
    held.push_back(j % 3 == 0 ? 18 : 0);
  }
  const auto allocation = relocate(jobs, held, Cores(9'000'000), kHorizon);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    ASSERT_GE(allocation[j], j % 3 == 0 ? 1 : 8);
    ASSERT_LE(allocation[j], j % 3 == 0 ? 1 : 9);
  }
  EXPECT_EQ(coresOf(jobs, allocation), Cores(9'000'000));
}

TEST(Relocation, TakesNoMoreThanANewcomerNeedsFromJobsNearTheirLeast) {
  // Less than a tenth is not worth a change, but nobody else has any.
  std::vector<Candidate> jobs(3, learner(1, 0.001, 20, 100));
  for (auto& job : jobs) {
    job.perUnit = Cores(50);
    job.inPlace = true;
  }
  jobs.push_back(learner(1, 0.001));
  jobs.back().perUnit = Cores(50);
  EXPECT_EQ(relocate(jobs, {21, 21, 21, 0}, Cores(63 * 50), kHorizon), (Allocation{20, 21, 21, 1}));
}

TEST(Relocation, LeavesAChangeInPlaceThatIsTooSmall) {
  std::vector<Candidate> jobs = {learner(1, 0.001)};
  jobs[0].perUnit = Cores(50);
  jobs[0].growPause = 0;
  jobs[0].inPlace = true;
  EXPECT_EQ(relocate(jobs, {37}, Cores(40 * 50), kHorizon), Allocation{37});
  EXPECT_EQ(relocate(jobs, {36}, Cores(40 * 50), kHorizon), Allocation{40});
}

// Whatever the jobs: within capacity, minimum and maximum.
TEST(Relocation, KeepsItsInvariants) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> uniform;
  const auto whole = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int round = 0; round < 500; ++round) {
    std::vector<Candidate> jobs;
    Allocation held;
    Cores capacity(1000 * whole(0, 40));
    const int count = round % 50 == 0 ? 200 : 1 + round % 9;
    for (int j = 0; j < count; ++j) {
      const int min = whole(1, 4);
      jobs.push_back(learner(uniform(random), uniform(random), min, min + whole(0, 10)));
      jobs.back().perUnit = Cores(500 * whole(1, 4));
      jobs.back().shrinkPause = 3 * uniform(random);
      held.push_back(whole(0, 1) ? whole(min, 15) : 0);
      capacity += jobs.back().cores(min);
    }
    const auto allocation = relocate(jobs, held, capacity, kHorizon);
    ASSERT_LE(coresOf(jobs, allocation), capacity);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      ASSERT_GE(allocation[j], jobs[j].min);
      ASSERT_LE(allocation[j], jobs[j].max);
    }
  }
}

// A trainer of 8 core-seconds an iteration, seen every second, that is told every 60 s to take 4 or 8
// workers.
TEST(LearnedPauses, AreKnownAfterAFewResizesGrowingAndShrinkingApart) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  double done = 0;
  double still = 0;
  double cores = 4;
  for (int s = 0; s < 600; ++s) {
    const Time now = Time(Seconds(1000 + s));
    if (s % 60 == 0 && s > 0) {
      const bool grows = cores == 4;
      cores = grows ? 8 : 4;
      still = grows ? 6 : 2;
      pauses.resized(now, *runtime.iterationAt(now, Seconds(0)), Cores(static_cast<int>(1000 * cores)),
                     grows);
    }
    runtime.running(now, Cores(static_cast<int>(1000 * cores)));
    const double works = std::max(0.0, 1 - still);
    still = std::max(0.0, still - 1);
    done += works * cores / 8;
    const Time then = now + Seconds(1);
    runtime.sample(then, Iterations(std::floor(done)));
    pauses.sample(then, Iterations(std::floor(done)), runtime);
  }
  ASSERT_TRUE(pauses.grow() && pauses.shrink());
  EXPECT_NEAR(pauses.grow()->count(), 6, 1.5);
  EXPECT_NEAR(pauses.shrink()->count(), 2, 1.5);
}

TEST(LearnedPauses, AreUnknownBeforeTwoWereSeen) {
  RuntimeModel runtime;
  LearnedPauses pauses;
  EXPECT_FALSE(pauses.grow());
  runtime.running(Time(Seconds(10)), Cores(1000));
  for (int s = 11; s < 30; ++s) runtime.sample(Time(Seconds(s)), Iterations(s));
  pauses.resized(Time(Seconds(30)), Iterations(30), Cores(2000), true);
  for (int s = 30; s < 60; ++s) {
    runtime.sample(Time(Seconds(s)), Iterations(2 * s));
    pauses.sample(Time(Seconds(s)), Iterations(2 * s), runtime);
  }
  EXPECT_FALSE(pauses.grow());
}

}  // namespace
}  // namespace slaq
