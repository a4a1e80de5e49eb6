// Losses that follow no convex family, and hints of the final loss (section 7).
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "forecast/curves/convergence_model.h"
#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::seriesOf;

double reductionOf(const LossSeries& series, double ahead, std::optional<double> target = {}) {
  return fitConvergence(series, Convergence::NonConvex, target)
      ->curve.reduction(series.lastIteration().value(), ahead);
}

double approaching(double k) { return 0.3 + 2 * std::exp(-0.02 * k); }

TEST(TrendTowardsATarget, IsExactWhereTheLossApproachesItSteadily) {
  const auto series = seriesOf(approaching, 60);
  const auto model = fitConvergence(series, Convergence::NonConvex, 0.3);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->curve.family, CurveFamily::Trend);
  for (const double k : {70.0, 100.0, 300.0}) EXPECT_NEAR(model->curve.at(k), approaching(k), 1e-6);
  EXPECT_EQ(model->forecastFinal(60), 0.3);
}

TEST(TrendTowardsATarget, NeverGoesBelowIt) {
  const auto model = fitConvergence(seriesOf(approaching, 20), Convergence::NonConvex, 0.1);
  EXPECT_GE(model->curve.at(1e6), 0.1);
}

TEST(Target, IsNoHintOnceTheLossIsBelowIt) {
  for (const auto family : {Convergence::NonConvex, Convergence::Auto}) {
    const auto model = fitConvergence(seriesOf(approaching, 60), family, 1.5);
    ASSERT_TRUE(model);
    EXPECT_FALSE(model->target);
    EXPECT_LT(model->forecastFinal(60), approaching(60));
  }
}

TEST(Target, IsTheFinalLossOfConvexFamiliesToo) {
  const auto series = seriesOf(approaching, 20);
  EXPECT_EQ(fitConvergence(series, Convergence::Auto, 0.25)->forecastFinal(20), 0.25);
  EXPECT_EQ(fitConvergence(series, Convergence::Superlinear, 0.25)->forecastFinal(20), 0.25);
}

TEST(TrendWithoutATarget, GoesOnAtTheRecentRateAndFadesOut) {
  const auto series = seriesOf([](double k) { return 10 - 0.05 * k; }, 60);
  EXPECT_NEAR(reductionOf(series, 1), 0.05, 0.001);
  EXPECT_LT(reductionOf(series, 1e9), 10);  // not for ever
  EXPECT_GT(reductionOf(series, 60), 0.05 * 60 / 2);
}

TEST(Trend, IsHardlyMovedByNoiseAndSpikes) {
  std::mt19937_64 random(2);
  std::normal_distribution<double> noise(0, 0.05);
  for (int round = 0; round < 100; ++round) {
    const auto series = seriesOf(
        [&](double k) {
          const double spike = static_cast<int>(k) % 10 == round % 10 ? 3 : 0;
          return 5 - 0.02 * k + noise(random) + spike;
        },
        60);
    EXPECT_NEAR(reductionOf(series, 10), 0.2, 0.12) << round;
    EXPECT_NEAR(reductionOf(series, 10, 1.0), 0.2, 0.15) << round;
  }
}

TEST(Trend, DoesNotGiveUpOnAPlateau) {
  const auto series = seriesOf([](double k) { return k < 20 ? 3 - 0.1 * k : 1.0; }, 60);
  const double sinceTheStart = 2.0 / 60;
  EXPECT_NEAR(reductionOf(series, 1), 0.1 * sinceTheStart, 1e-4);
  EXPECT_GT(reductionOf(series, 1, 0.5), 0);
}

TEST(Trend, ExpectsNothingOfALossThatRises) {
  EXPECT_EQ(reductionOf(seriesOf([](double k) { return 1 + k; }, 40), 10), 0);
}

// Whatever the losses and the target, a forecast is finite and promises no more than there is.
TEST(Trend, NeverGivesNanOrANegativeReduction) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 3000; ++round) {
    LossSeries series;
    const double scale = std::pow(10.0, std::uniform_real_distribution<double>(-12, 12)(random));
    double k = 0;
    const int pairs = std::uniform_int_distribution<int>(3, 80)(random);
    for (int i = 0; i < pairs; ++i) {
      k += std::uniform_int_distribution<int>(1, 1 + round % 50)(random);
      series.add(Iterations(k),
                 Loss(scale * (round % 3 == 0 ? normal(random) : 1 / k + 0.01 * normal(random))));
    }
    const double last = series.lastIteration().value();
    for (const std::optional<double> target :
         {std::optional<double>(), std::optional(scale * normal(random))}) {
      const auto model = fitConvergence(series, Convergence::NonConvex, target);
      ASSERT_TRUE(model);
      for (const double ahead : {0.01, 1.0, 10.0, 1e9}) {
        const double reduction = model->curve.reduction(last, ahead);
        ASSERT_TRUE(std::isfinite(model->curve.at(last + ahead))) << round;
        ASSERT_TRUE(std::isfinite(reduction) && reduction >= 0) << round;
      }
      if (model->target) {
        ASSERT_GE(model->curve.at(1e9), *model->target - 1e-9 * scale);
      }
    }
  }
}

}  // namespace
}  // namespace slaq::forecast
