#include "curve/population.h"

#include <gtest/gtest.h>

#include <cmath>

#include "curve/predictor.h"
#include "curve/trainings.h"

namespace slaq {
namespace {

LossSeries seriesOf(const test::LossAt& loss, int to) {
  LossSeries series;
  for (int k = 0; k <= to; ++k) series.add(Iterations(k), Loss(loss(k)));
  return series;
}

// As a job does while it advances: each time it has done twice as much.
void teach(Population& population, const test::LossAt& loss, int to) {
  LossSeries series;
  for (int k = 0, next = 8; k <= to; ++k) {
    series.add(Iterations(k), Loss(loss(k)));
    if (k < next && k < to) continue;
    next = 2 * k;
    population.learn(series, {Curve{.floor = loss(1e9)}, {}, {}});
  }
}

double slow(double k) { return 1 / (1 + 0.02 * k); }

TEST(Population, FallsFromOneToNothing) {
  const Population population;
  EXPECT_EQ(population.level(0), 1);
  double before = 1;
  for (double k = 0.5; k < 1e6; k *= 1.5) {
    EXPECT_LT(population.level(k), before) << k;
    before = population.level(k);
  }
  EXPECT_LT(before, 1e-4);
}

TEST(Population, BecomesLikeTheJobsThatTaughtIt) {
  Population population;
  const double before = std::abs(population.level(30) - slow(30));
  for (int job = 0; job < 20; ++job) teach(population, slow, 300);
  EXPECT_LT(std::abs(population.level(30) - slow(30)), 0.3 * before);
}

TEST(Population, ForgetsWhatItWasTaughtLongAgo) {
  Population population;
  const auto fast = [](double k) { return std::exp(-0.2 * k); };
  for (int job = 0; job < 300; ++job) teach(population, slow, 300);
  for (int job = 0; job < 300; ++job) teach(population, fast, 60);
  EXPECT_NEAR(population.level(12), fast(12), 0.08);
}

TEST(Population, LearnsNoLateFallFromPairsFarApart) {
  Population population;
  const Population before = population;
  for (int job = 0; job < 30; ++job) {
    LossSeries series;
    for (const double k : {0., 24., 48., 192.}) series.add(Iterations(k), Loss(before.level(k)));
    population.learn(series, {Curve{.floor = 0}, {}, {}});
  }
  for (const double k : {1., 4., 12., 32., 96.}) {
    EXPECT_NEAR(population.level(k), before.level(k), 0.1) << k;
  }
}

TEST(Population, LearnsMoreFromJobsThatHaveComeFar) {
  Population far, near;
  teach(far, slow, 500);
  teach(near, slow, 16);
  EXPECT_GT(far.level(12), near.level(12));
}

TEST(Population, ExpectsOfAnUnknownJobWhatOthersDid) {
  const Population population;
  const Curve curve = population.curveFor({}, {});
  EXPECT_EQ(curve.at(0), 1);
  EXPECT_NEAR(curve.reduction(0, 10), 1 - population.level(10), 1e-9);
}

TEST(Population, ScalesItsCurveByTheJobsFirstSteps) {
  const Population population;
  LossSeries series;
  series.add(Iterations(0), Loss(50));
  series.add(Iterations(1), Loss(50 - 4 * (1 - population.level(1))));
  const Curve curve = population.curveFor(series, 0);
  EXPECT_NEAR(curve.reduction(1, 10), 4 * (population.level(1) - population.level(11)), 1e-9);
}

TEST(Population, ExpectsNoLossBelowTheFloor) {
  const Population population;
  LossSeries series;
  series.add(Iterations(0), Loss(10));
  series.add(Iterations(1), Loss(2));
  EXPECT_GE(population.curveFor(series, 0).at(31), 0);
}

TEST(Population, KnowsTheTypicalCostOfAnIteration) {
  Population population;
  EXPECT_FALSE(population.typicalCost());
  population.learnCost(1);
  population.learnCost(100);
  EXPECT_NEAR(population.typicalCost().value(), 10, 0.5);
  population.learnCost(0);
  population.learnCost(std::nan(""));
  EXPECT_NEAR(population.typicalCost().value(), 10, 0.5);
}

TEST(Predictor, ForecastsFromThePopulationBeforeTheThirdPair) {
  const Predictor predictor{PredictorName::Ensemble};
  Ensemble ensemble;
  LossSeries series;
  for (int pairs = 0; pairs < 5; ++pairs) {
    const auto model = predictor.forecast(series, {}, ensemble);
    ASSERT_TRUE(model) << pairs;
    const double k = series.empty() ? 0 : series.lastIteration().value();
    EXPECT_GT(model->curve.reduction(k, 10), 0) << pairs;
    series.add(Iterations(pairs), Loss(3 / (1.0 + pairs)));
  }
  EXPECT_FALSE(Predictor{PredictorName::Published}.forecast(LossSeries(), {}, ensemble));
}

TEST(Predictor, DecidesByAShareOfThePopulationsGainAtLeast) {
  const Predictor predictor{PredictorName::Ensemble};
  Ensemble ensemble;
  const auto plateau = seriesOf([](double k) { return std::max(1.0, 2 - 0.2 * k); }, 40);
  const auto model = predictor.forecast(plateau, {}, ensemble);
  const double expected = kOptimism * predictor.population.fallsAhead(plateau)[0].reduction;
  EXPECT_GT(expected, 0);
  EXPECT_LT(model->curve.reduction(40, 10), expected);
  EXPECT_NEAR(model->curveToDecideBy().reduction(40, 10), expected, 1e-9);
  const auto falling = seriesOf(slow, 40);
  const auto other = predictor.forecast(falling, {}, *std::make_unique<Ensemble>());
  EXPECT_EQ(other->curveToDecideBy().reduction(40, 10), other->curve.reduction(40, 10));
}

// Whatever few pairs there are, what is expected is finite and nothing rises.
TEST(Population, IsFiniteWhateverTheFirstPairs) {
  const Predictor predictor{PredictorName::Ensemble};
  for (const double first : {0.0, 1.0, -3.0, 1e300, -1e300, 1e-300}) {
    for (const double second : {0.0, 1.0, -5.0, 1e300, -1e300, 2e-300}) {
      Ensemble ensemble;
      LossSeries series;
      for (const double loss : {first, second}) {
        series.add(Iterations(static_cast<double>(series.size() * 7)), Loss(loss));
        const auto model = predictor.forecast(series, {}, ensemble);
        const double k = series.lastIteration().value();
        for (const double ahead : {0.5, 10.0, 1e6}) {
          const double reduction = model->curve.reduction(k, ahead);
          EXPECT_TRUE(std::isfinite(reduction) && reduction >= 0) << first << " " << second;
        }
      }
    }
  }
}

}  // namespace
}  // namespace slaq
