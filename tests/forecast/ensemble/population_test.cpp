#include "forecast/ensemble/population.h"

#include <gtest/gtest.h>

#include <cmath>

#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::slowFall;

// As a job does while it advances: each time it has done twice as much.
void updateBy(Population& population, const test::LossAt& loss, int to) {
  LossSeries series;
  for (int k = 0, next = 8; k <= to; ++k) {
    series.add(Iterations(k), Loss(loss(k)));
    if (k < next && k < to) continue;
    next = 2 * k;
    population.update(series, {Curve{.floor = loss(1e9)}, {}, {}});
  }
}

TEST(Population, FallsFromOneToNothing) {
  const Population population(defaultConstants().firstCurve);
  EXPECT_EQ(population.level(0), 1);
  double before = 1;
  for (double k = 0.5; k < 1e6; k *= 1.5) {
    EXPECT_LT(population.level(k), before) << k;
    before = population.level(k);
  }
  EXPECT_LT(before, 1e-4);
}

TEST(Population, BeginsWithTheMeanOfRecordedTrainings) {
  MeanLevels recorded = defaultConstants().firstCurve;
  recorded[0] = 0.9;
  EXPECT_NEAR(Population(recorded).level(1), 0.9, 1e-12);
  EXPECT_NEAR(Population(recorded).level(192), recorded.back(), 1e-12);
}

TEST(Population, BecomesLikeTheJobsThatUpdatedIt) {
  Population population(defaultConstants().firstCurve);
  const double before = std::abs(population.level(30) - slowFall(30));
  for (int job = 0; job < 20; ++job) updateBy(population, slowFall, 300);
  EXPECT_LT(std::abs(population.level(30) - slowFall(30)), 0.3 * before);
}

TEST(Population, ForgetsWhatItSawLongAgo) {
  Population population(defaultConstants().firstCurve);
  const auto fast = [](double k) { return std::exp(-0.2 * k); };
  for (int job = 0; job < 300; ++job) updateBy(population, slowFall, 300);
  for (int job = 0; job < 300; ++job) updateBy(population, fast, 60);
  EXPECT_NEAR(population.level(12), fast(12), 0.08);
}

TEST(Population, LearnsNoLateFallFromPairsFarApart) {
  Population population(defaultConstants().firstCurve);
  const Population before = population;
  for (int job = 0; job < 30; ++job) {
    LossSeries series;
    for (const double k : {0., 24., 48., 192.}) series.add(Iterations(k), Loss(before.level(k)));
    population.update(series, {Curve{.floor = 0}, {}, {}});
  }
  for (const double k : {1., 4., 12., 32., 96.}) {
    EXPECT_NEAR(population.level(k), before.level(k), 0.1) << k;
  }
}

TEST(Population, LearnsMoreFromJobsThatHaveComeFar) {
  Population far(defaultConstants().firstCurve), near(defaultConstants().firstCurve);
  updateBy(far, slowFall, 500);
  updateBy(near, slowFall, 16);
  EXPECT_GT(far.level(12), near.level(12));
}

TEST(Population, ExpectsOfAnUnknownJobWhatOthersDid) {
  const Population population(defaultConstants().firstCurve);
  const Curve curve = population.curveFor({}, {});
  EXPECT_EQ(curve.at(0), 1);
  EXPECT_NEAR(curve.reduction(0, 10), 1 - population.level(10), 1e-9);
}

TEST(Population, ScalesItsCurveByTheJobsFirstSteps) {
  const Population population(defaultConstants().firstCurve);
  LossSeries series;
  series.add(Iterations(0), Loss(50));
  series.add(Iterations(1), Loss(50 - 4 * (1 - population.level(1))));
  const Curve curve = population.curveFor(series, 0);
  EXPECT_NEAR(curve.reduction(1, 10), 4 * (population.level(1) - population.level(11)), 1e-9);
}

TEST(Population, ExpectsNoLossBelowTheFloor) {
  const Population population(defaultConstants().firstCurve);
  LossSeries series;
  series.add(Iterations(0), Loss(10));
  series.add(Iterations(1), Loss(2));
  EXPECT_GE(population.curveFor(series, 0).at(31), 0);
}

}  // namespace
}  // namespace slaq::forecast
