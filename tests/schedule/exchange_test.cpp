#include "schedule/exchange.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "schedule/look_ahead.h"

namespace slaq {
namespace {

constexpr Seconds kEpoch{3};

double promiseOf(const std::vector<Candidate>& jobs, std::size_t i, std::int32_t units) {
  const Prospect prospect(jobs[i], inCores(jobs[i].cores(jobs[i].max)) * kEpoch.count());
  return slaq::promiseOf(prospect, jobs[i], units, kEpoch);
}

// The largest sum of promises that any division of so many units has.
double exactly(const std::vector<Candidate>& jobs, int units) {
  std::vector<double> best(static_cast<std::size_t>(units) + 1, 0);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    std::vector<double> next(best.size(), -1e300);
    for (int taken = jobs[i].min; taken <= std::min(units, jobs[i].max); ++taken) {
      const double promise = promiseOf(jobs, i, taken);
      for (int before = 0; before + taken <= units; ++before) {
        double& sum = next[static_cast<std::size_t>(before + taken)];
        sum = std::max(sum, best[static_cast<std::size_t>(before)] + promise);
      }
    }
    best = std::move(next);
  }
  return *std::ranges::max_element(best);
}

enum class Shape { WholeIterations, Plateaus, Slopes };

struct Contest {
  std::vector<std::vector<double>> tables;  // of the curves
  std::vector<Candidate> jobs;
  int units = 0;
};

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

Contest drawn(std::mt19937_64& random, Shape shape, int min) {
  std::uniform_real_distribution<double> uniform;
  Contest contest;
  const int count = 2 + static_cast<int>(6 * uniform(random));
  for (int i = 0; i < count; ++i) {
    contest.tables.push_back(lossesOf(shape, 0.2 + uniform(random), uniform(random)));
    Candidate job{.min = min, .max = min + 2 + static_cast<int>(20 * uniform(random))};
    job.iteration = 5 * uniform(random);
    job.coreSecondsPerIteration = std::exp(3 * uniform(random));
    contest.jobs.push_back(job);
    contest.units += min;
  }
  for (std::size_t i = 0; i < contest.jobs.size(); ++i) {
    contest.jobs[i].curve = {.family = CurveFamily::Tabulated, .table = contest.tables[i]};
  }
  contest.units += static_cast<int>(40 * uniform(random));
  return contest;
}

TEST(LookAhead, PromisesAThousandthLessThanTheBestOfAllDivisionsAtMost) {
  std::mt19937_64 random(2);
  double found = 0;
  double best = 0;
  for (int round = 0; round < 3000; ++round) {
    const auto shape = std::array{Shape::WholeIterations, Shape::Plateaus, Shape::Slopes}[round % 3];
    const auto contest = drawn(random, shape, std::array{1, 2, 4}[round / 3 % 3]);
    PriceSearch search;
    const auto allocation = lookAhead(search, contest.jobs, Cores(1000 * contest.units), kEpoch);
    double sum = 0;
    for (std::size_t i = 0; i < contest.jobs.size(); ++i) sum += promiseOf(contest.jobs, i, allocation[i]);
    const double exact = exactly(contest.jobs, contest.units);
    ASSERT_LE(sum, exact * (1 + 1e-9));
    found += sum;
    best += exact;
  }
  RecordProperty("share", std::to_string(found / best));
  EXPECT_GE(found, 0.999 * best) << found / best;
}

TEST(Exchange, FindsWhatTakesSeveralUnitsAtOnce) {
  const std::vector<Candidate> jobs = {{.max = 20}, {.max = 20}};
  // The first job gains a little by each unit, the second by five together.
  const GainOf gain = [](std::size_t i, std::int32_t units) {
    return i == 0 ? 0.1 * units : units >= 6 ? 10.0 : 0.0;
  };
  Allocation allocation = {9, 1};
  exchange(jobs, Cores(0), gain, allocation);
  EXPECT_EQ(allocation, (Allocation{4, 6}));
}

TEST(Exchange, TakesWhatIsLeftFirst) {
  const std::vector<Candidate> jobs = {{.max = 20}, {.max = 20}};
  const GainOf gain = [](std::size_t i, std::int32_t units) { return (i + 1.0) * std::sqrt(units); };
  Allocation allocation = {1, 1};
  exchange(jobs, Cores(18000), gain, allocation);
  EXPECT_EQ(allocation, (Allocation{4, 16}));
}

// Of a thousand jobs two could gain by five units at once, which those that gain least can spare.
TEST(Exchange, LooksAmongManyJobsAtThoseNearThePrice) {
  const std::vector<Candidate> jobs(1000, Candidate{.max = 20});
  Allocation allocation(1000, 10);
  const GainOf gain = [](std::size_t i, std::int32_t units) {
    if (i == 500 || i == 700) return 0.5 * units + (units >= 15 ? 10.0 : 0.0);
    return (i == 100 || i == 900 ? 0.01 : 0.4) * units;
  };
  exchange(jobs, Cores(0), gain, allocation);
  EXPECT_GE(allocation[500], 15);
  EXPECT_GE(allocation[700], 15);
  EXPECT_EQ(allocation[100] + allocation[900], 2);
  EXPECT_EQ(std::accumulate(allocation.begin(), allocation.end(), 0), 10000);
}

TEST(Exchange, LeavesUnitsOfDifferentSizeAlone) {
  const std::vector<Candidate> jobs = {{.max = 20}, {.max = 20, .perUnit = Cores(500)}};
  Allocation allocation = {5, 5};
  exchange(
      jobs, Cores(0), [](std::size_t i, std::int32_t units) { return i * 1.0 * units; }, allocation);
  EXPECT_EQ(allocation, (Allocation{5, 5}));
}

}  // namespace
}  // namespace slaq
