#include "schedule/prospects.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "forecast/curves/hyperbola.h"
#include "schedule/greedy.h"
#include "schedule/price_search.h"
#include "schedule/random_candidates.h"

namespace slaq {
namespace {

constexpr Seconds kEpoch{3};

// Jobs of all families, at all stages, whose iterations take a unit from a part of an epoch to many epochs.
class RandomJobs : public Random {
 public:
  explicit RandomJobs(unsigned seed) : Random(seed) {
    for (double loss = 1; table_.size() < 40; loss *= 1 - 0.2 * part()) table_.push_back(loss);
  }

  std::vector<Candidate> draw(int count, Cores perUnit) {
    std::vector<Candidate> jobs;
    for (int i = 0; i < count; ++i) {
      jobs.push_back(!jobs.empty() && whole(0, 9) == 0 ? jobs.back() : drawOne(perUnit));
    }
    return jobs;
  }

 private:
  Candidate drawOne(Cores perUnit) {
    const int min = std::array{0, 1, 2, 4}[static_cast<std::size_t>(whole(0, 3))];
    Candidate job{.weight = 1.0 + whole(0, 3),
                  .min = min,
                  .max = min + whole(0, 120),
                  .perUnit = perUnit,
                  .offset = perUnit * whole(0, 1)};
    job.iteration = whole(0, 30) + (whole(0, 2) == 0 ? 0 : part());
    job.normalizer = 0.1 + part();
    job.coreSecondsPerIteration = std::exp(std::log(0.03) + std::log(10000) * part());
    job.curve = drawCurve(std::floor(job.iteration));
    return job;
  }

  Curve drawCurve(double iteration) {
    const double floor = whole(0, 1) * part();
    switch (whole(0, 9)) {
      case 0:
        return {.family = CurveFamily::Constant, .floor = part()};
      case 1:
      case 2:
        return {.family = CurveFamily::Superlinear,
                .floor = floor,
                .amplitude = part(),
                .rate = std::exp(-9 * part() + 1)};
      case 3:
        return {
            .family = CurveFamily::Sublinear, .floor = floor, .a = part(), .b = part(), .c = 1 + 9 * part()};
      case 4:
        return {.family = CurveFamily::Tabulated, .table = table_};
      case 5:
        return lineFrom(iteration, part(), 0.01 * part());
      case 6:
        return hyperbolaThrough(iteration, part(), {10, 0.1 * part()}, {100, 0.2 * part()});
      default:
        return {.family = CurveFamily::Sublinear, .floor = floor, .b = 0.01 + part(), .c = 0.1 + part()};
    }
  }

  std::vector<double> table_;
};

// Gains that do not count: no price is so low.
constexpr double kNothing = 1e-34;

// Unit by unit, as long as it counts.
Allocation stepByStep(const Prospects& prospects, Cores capacity) {
  const auto jobs = prospects.candidates();
  return giveUnitByUnit(jobs, capacity, [&](const Candidate& job, std::int32_t units) {
    const double gain = prospects.gainPerCore(static_cast<std::size_t>(&job - jobs.data()), units);
    return gain > kNothing ? gain : kNoPriority;
  });
}

// Without the last units where they are worth next to nothing.
Allocation counting(Allocation allocation, const Prospects& prospects) {
  for (std::size_t i = 0; i < allocation.size(); ++i) {
    const std::int32_t min = prospects.candidates()[i].min;
    while (allocation[i] > min && prospects.gainPerCore(i, allocation[i] - 1) <= kNothing) --allocation[i];
  }
  return allocation;
}

TEST(Prospects, AreDividedByThePriceAsUnitByUnit) {
  PriceSearch search;  // kept: each search begins at the last one's price
  for (unsigned seed = 0; seed < 6000; ++seed) {
    RandomJobs random(seed);
    const Cores perUnit(500 * random.whole(1, 4));
    const auto jobs = random.draw(random.whole(1, 60), perUnit);
    const Cores capacity = minimumsOf(jobs) + Cores(random.whole(0, seed % 3 == 0 ? 6000000 : 300000));
    const Prospects prospects(jobs, kEpoch);
    ASSERT_TRUE(search.load(prospects)) << seed;
    Allocation found;
    const Cores left = search.divide(capacity, found);
    ASSERT_EQ(left, capacity - coresOf(jobs, found)) << seed;
    ASSERT_EQ(counting(found, prospects), stepByStep(prospects, capacity)) << seed;
  }
}

TEST(Prospects, OfManyJobsAreDividedByThePriceAsUnitByUnit) {
  RandomJobs random(1);
  const auto jobs = random.draw(4000, Cores(1000));
  const Prospects prospects(jobs, kEpoch);
  PriceSearch search;
  ASSERT_TRUE(search.load(prospects));
  for (const int cores : {10, 1000, 20000, 100000, 1000000}) {
    const Cores capacity = minimumsOf(jobs) + Cores(1000 * cores);
    const auto expected = stepByStep(prospects, capacity);
    for (const double price : {0.0, 1e-300, 1e-6, 1.0}) {
      Allocation found;
      search.beginAt(price);
      search.divide(capacity, found);
      ASSERT_EQ(counting(found, prospects), expected) << cores << " " << price;
    }
  }
}

TEST(Prospects, OfLikeJobsAreDividedInTheirOrder) {
  const Candidate like{.max = 50,
                       .curve = {.family = CurveFamily::Sublinear, .b = 0.5, .c = 1},
                       .iteration = 0.4,
                       .coreSecondsPerIteration = 21};
  const std::vector<Candidate> jobs(20, like);
  const Prospects prospects(jobs, kEpoch);
  PriceSearch search;
  ASSERT_TRUE(search.load(prospects));
  for (int cores = 20; cores < 1100; cores += 7) {
    Allocation found;
    search.divide(Cores(1000 * cores), found);
    EXPECT_EQ(found, stepByStep(prospects, Cores(1000 * cores))) << cores;
  }
}

TEST(Prospects, AreNotForAPriceWhereUnitsDifferOrAGroupIsLimited) {
  const Candidate good{.max = 50, .curve = {.family = CurveFamily::Sublinear, .b = 0.5, .c = 1}};
  const auto isFor = [&](const Candidate& other) {
    const std::vector<Candidate> jobs = {good, other};
    const Prospects prospects(jobs, kEpoch);
    return PriceSearch().load(prospects);
  };
  EXPECT_TRUE(isFor(good));
  auto other = good;
  other.group = 0;
  EXPECT_FALSE(isFor(other));
  other = good;
  other.perUnit = Cores(500);
  EXPECT_FALSE(isFor(other));
}

TEST(Prospects, AreNotWorthAPriceWhereManyHaveNoClosedFormAndUnitsAreFew) {
  const std::vector<double> table = {1, 0.9, 0.3, 0.2};
  const Candidate closed{.max = 50, .curve = {.family = CurveFamily::Sublinear, .b = 0.5, .c = 1}};
  auto stored = closed;
  stored.curve = {.family = CurveFamily::Tabulated, .table = table};
  const auto isWorth = [](const Candidate& like, int cores) {
    const std::vector<Candidate> jobs(100, like);
    const Prospects prospects(jobs, kEpoch);
    PriceSearch search;
    return search.load(prospects) && search.paysFor(Cores(1000 * cores));
  };
  EXPECT_TRUE(isWorth(closed, 100));
  EXPECT_FALSE(isWorth(stored, 100));
  EXPECT_TRUE(isWorth(stored, 100000));
}

// Where a curve falls ever more slowly, its hull goes through the ends of all iterations, however many.
TEST(Prospects, AreStraightBetweenTheEndsOfIterations) {
  RandomJobs random(3);
  for (const auto& job : random.draw(2000, Cores(1000))) {
    if (!job.curve.fallsEverSlower(std::floor(job.iteration))) continue;
    const Prospect prospect(job);
    const double done = std::floor(job.iteration);
    const double begun = job.iteration - done;
    const double scale = job.weight / job.normalizer;
    for (const int ahead : {1, 2, 5, 64, 70, 1000}) {
      const auto at = [&](double iterations) {
        return prospect.worth((iterations - begun) * job.coreSecondsPerIteration);
      };
      const double rounding = 1e-9 * scale;
      ASSERT_NEAR(at(ahead), scale * job.curve.reduction(done, ahead), rounding);
      ASSERT_NEAR(at(ahead + 0.25), 0.75 * at(ahead) + 0.25 * at(ahead + 1), rounding);
    }
  }
}

}  // namespace
}  // namespace slaq
