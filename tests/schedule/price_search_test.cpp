#include "schedule/price_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "schedule/random_candidates.h"
#include "schedule/total_quality.h"

namespace slaq {
namespace {

constexpr Seconds kEpoch{3};

// Differences of losses are not known better.
constexpr double kRounding = 1e-14;

// Jobs of all the families whose gains fall, at all stages.
class RandomJobs : public Random {
 public:
  using Random::Random;

  std::vector<Candidate> draw(int count, Cores perUnit) {
    std::vector<Candidate> jobs;
    for (int i = 0; i < count; ++i) jobs.push_back(drawOne(perUnit));
    return jobs;
  }

 private:
  Candidate drawOne(Cores perUnit) {
    const int min = whole(1, 4);
    Candidate job{.weight = 1.0 + whole(0, 3),
                  .min = min,
                  .max = min + whole(0, 60),
                  .perUnit = perUnit,
                  .offset = perUnit * whole(0, 1)};
    job.iteration = 30 * part();
    job.normalizer = 0.1 + part();
    job.coreSecondsPerIteration = std::exp(4 * part() - 1);
    switch (whole(0, 4)) {
      case 0:
        job.curve = {.family = CurveFamily::Constant, .floor = part()};
        break;
      case 1:
        job.curve = {.family = CurveFamily::Superlinear, .amplitude = part(), .rate = 0.001 + 0.1 * part()};
        break;
      case 2:
        job.curve = {
            .family = CurveFamily::Sublinear, .a = 0.01 * part(), .b = 0.2 + part(), .c = 1 + part()};
        break;
      default:
        job.curve = {.family = CurveFamily::Sublinear, .b = 0.01 + part(), .c = 0.1 + part()};
    }
    return job;
  }
};

// Algorithm 1, but without the units by which nobody gains.
Allocation stepByStep(const std::vector<Candidate>& jobs, Cores capacity) {
  auto allocation = totalQuality(jobs, capacity, kEpoch);
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    while (allocation[j] > jobs[j].min && !(gainPerCore(jobs[j], allocation[j] - 1, kEpoch) > 0))
      --allocation[j];
  }
  return allocation;
}

TEST(PriceSearch, GivesWhatAlgorithm1Gives) {
  PriceSearch search;  // kept: each search begins at the last one's price
  for (unsigned seed = 0; seed < 4000; ++seed) {
    RandomJobs random(seed);
    const Cores perUnit(500 * random.whole(1, 4));
    const auto jobs = random.draw(random.whole(1, 40), perUnit);
    const Cores capacity = minimumsOf(jobs) + Cores(random.whole(0, 1500000));
    ASSERT_TRUE(search.load(jobs, kEpoch)) << seed;
    Allocation found;
    const Cores left = search.divide(capacity, found);
    ASSERT_EQ(left, capacity - coresOf(jobs, found)) << seed;
    const auto expected = stepByStep(jobs, capacity);
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      if (found[j] == expected[j]) continue;
      ASSERT_LT(gainPerCore(jobs[j], std::min(found[j], expected[j]), kEpoch), kRounding) << seed;
    }
  }
}

TEST(PriceSearch, FindsNoOtherDivisionFromAnotherStart) {
  RandomJobs random(5);
  const auto jobs = random.draw(300, Cores(1000));
  const Cores capacity = minimumsOf(jobs) + Cores(2000000);
  PriceSearch warm;
  Allocation first, again, less;
  ASSERT_TRUE(warm.load(jobs, kEpoch));
  warm.divide(capacity, first);
  warm.divide(minimumsOf(jobs) + Cores(3000), less);
  warm.divide(capacity, again);
  EXPECT_EQ(first, again);
  EXPECT_EQ(first, stepByStep(jobs, capacity));
}

TEST(PriceSearch, FindsNoOtherDivisionFromAnyPrice) {
  RandomJobs random(6);
  const auto jobs = random.draw(300, Cores(1000));
  const Cores capacity = minimumsOf(jobs) + Cores(1000000);
  const auto expected = stepByStep(jobs, capacity);
  PriceSearch search;
  ASSERT_TRUE(search.load(jobs, kEpoch));
  for (const double price : {0.0, -1.0, std::nan(""), 1e-300, 1e-9, 1e-3, 1.0, 1e300, HUGE_VAL}) {
    Allocation found;
    search.beginAt(price);
    search.divide(capacity, found);
    EXPECT_EQ(found, expected) << price;
  }
}

TEST(PriceSearch, BreaksTiesByOrderAsAlgorithm1Does) {
  const Candidate like{.max = 50, .curve = {.family = CurveFamily::Sublinear, .b = 0.5, .c = 1}};
  const std::vector<Candidate> jobs(20, like);
  for (int cores = 20; cores < 200; cores += 7) {
    PriceSearch search;
    Allocation found;
    ASSERT_TRUE(search.load(jobs, kEpoch));
    search.divide(Cores(1000 * cores), found);
    EXPECT_EQ(found, totalQuality(jobs, Cores(1000 * cores), kEpoch)) << cores;
  }
}

TEST(PriceSearch, LeavesWhatNobodyGainsBy) {
  const std::vector<Candidate> jobs(3, Candidate{.min = 2, .max = 50, .curve = {.floor = 1}});
  PriceSearch search;
  Allocation found;
  ASSERT_TRUE(search.load(jobs, kEpoch));
  search.divide(Cores(60000), found);
  EXPECT_EQ(found, (Allocation{2, 2, 2}));
}

TEST(PriceSearch, LeavesTheRestToAlgorithm1) {
  std::vector<Candidate> jobs(3, Candidate{.max = 50, .curve = {.floor = 1}});
  jobs[1].curve = {.family = CurveFamily::Sublinear, .b = 0.5, .c = 1};
  PriceSearch search;
  for (const int cores : {3, 30, 80, 300}) {
    EXPECT_EQ(totalQualityByPrice(search, jobs, Cores(1000 * cores), kEpoch),
              totalQuality(jobs, Cores(1000 * cores), kEpoch));
  }
}

TEST(PriceSearch, IsNotForEveryContest) {
  const Candidate good{.max = 50, .curve = {.family = CurveFamily::Sublinear, .b = 0.5, .c = 1}};
  const auto isFor = [&](const Candidate& other) {
    return PriceSearch().load(std::vector<Candidate>{good, other}, kEpoch);
  };
  EXPECT_TRUE(isFor(good));
  auto other = good;
  other.group = 0;
  EXPECT_FALSE(isFor(other)) << "a limited group";
  other = good;
  other.perUnit = Cores(500);
  EXPECT_FALSE(isFor(other)) << "units of another size";
  other = good;
  other.curve.a = 5;
  EXPECT_FALSE(isFor(other)) << "gains that rise at first";
  const std::vector<double> table = {1, 0};
  other.curve = {.family = CurveFamily::Tabulated, .table = table};
  EXPECT_FALSE(isFor(other)) << "any curve at all";
}

}  // namespace
}  // namespace slaq
