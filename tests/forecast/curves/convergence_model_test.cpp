#include "forecast/curves/convergence_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::seriesOf;

double sublinear(double k) { return 1.0 / (0.002 * k * k + 0.1 * k + 0.5) + 0.3; }
double superlinear(double k) { return std::pow(0.93, k - 20) + 1.5; }

struct Case {
  const char* name;
  double (*truth)(double);
  Convergence wanted;
  CurveFamily family;
  int step;
};

class ForecastOfItsOwnFamily : public testing::TestWithParam<Case> {};

TEST_P(ForecastOfItsOwnFamily, IsExactTenIterationsAhead) {
  const auto& c = GetParam();
  for (int last : {12, 30, 60, 100}) {
    const auto series = seriesOf(c.truth, last - last % c.step, c.step);
    if (series.size() < 4) continue;
    const auto model = fitConvergence(series, c.wanted);
    ASSERT_TRUE(model);
    const double k = series.lastIteration().value();
    const double range = c.truth(0) - c.truth(1e6);
    EXPECT_NEAR(model->curve.at(k + 10), c.truth(k + 10), 0.01 * range) << c.name << " at " << k;
    if (series.size() >= 6) {
      EXPECT_EQ(model->curve.family, c.family);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Families, ForecastOfItsOwnFamily,
    testing::Values(Case{"sublinear", sublinear, Convergence::Sublinear, CurveFamily::Sublinear, 1},
                    Case{"sublinear sparse", sublinear, Convergence::Sublinear, CurveFamily::Sublinear, 5},
                    Case{"sublinear auto", sublinear, Convergence::Auto, CurveFamily::Sublinear, 1},
                    Case{"superlinear", superlinear, Convergence::Superlinear, CurveFamily::Superlinear, 1},
                    Case{"superlinear sparse", superlinear, Convergence::Superlinear,
                         CurveFamily::Superlinear, 5},
                    Case{"superlinear auto", superlinear, Convergence::Auto, CurveFamily::Superlinear, 1}),
    [](const auto& info) {
      std::string name = info.param.name;
      std::erase(name, ' ');
      return name;
    });

TEST(ConvergenceModel, NeedsThreePairs) {
  EXPECT_FALSE(fitConvergence(seriesOf(sublinear, 1), Convergence::Auto));
  EXPECT_TRUE(fitConvergence(seriesOf(sublinear, 2), Convergence::Auto));
}

TEST(ConvergenceModel, ExpectsNothingOfALossThatStandsStill) {
  const auto model = fitConvergence(seriesOf([](double) { return 4.2; }, 60), Convergence::Auto);
  ASSERT_TRUE(model);
  EXPECT_EQ(model->curve.reduction(60, 1000), 0);
  EXPECT_DOUBLE_EQ(model->curve.at(70), 4.2);
}

TEST(ConvergenceModel, ExpectsNothingOfALossThatRises) {
  const auto model = fitConvergence(seriesOf([](double k) { return k; }, 20), Convergence::Auto);
  ASSERT_TRUE(model);
  EXPECT_NEAR(model->curve.reduction(20, 100), 0, 1e-9);
}

// Whatever the losses, a forecast is finite and a reduction is not negative.
TEST(ConvergenceModel, NeverGivesNanOrANegativeReduction) {
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
    const auto model = fitConvergence(series, Convergence::Auto);
    ASSERT_TRUE(model);
    for (double ahead : {0.01, 1.0, 10.0, 1e6}) {
      const double reduction = model->curve.reduction(k, ahead);
      ASSERT_TRUE(std::isfinite(model->curve.at(k + ahead))) << round;
      ASSERT_GE(reduction, 0) << round;
      ASSERT_TRUE(std::isfinite(reduction)) << round;
    }
  }
}

// A converged loss flickers in its last digits; extrapolated far, that is still nothing.
TEST(ConvergenceModel, ExpectsNothingOfNoise) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(0, 1e-9);
  for (int round = 0; round < 200; ++round) {
    LossSeries series;
    series.add(Iterations(0), Loss(0.7));
    for (int k = 1; k <= 4 + round; ++k) series.add(Iterations(150 * k), Loss(0.6 + noise(random)));
    const auto model = fitConvergence(series, Convergence::Auto);
    EXPECT_LT(model->curve.reduction(series.lastIteration().value(), 450), 1e-3) << round;
  }
}

// The unit of the loss does not matter.
// A loss that has been lower once can be so again, so the hint says nothing any more.
TEST(ConvergenceModel, IgnoresATargetThatTheLossHasPassed) {
  const auto noisy = [](double k) { return k == 20 ? 0.1 : 1 / (1 + 0.2 * k) + 0.2; };
  EXPECT_EQ(fitConvergence(seriesOf(noisy, 30), Convergence::Auto, 0.15)->target, std::nullopt);
  EXPECT_EQ(fitConvergence(seriesOf(noisy, 30), Convergence::Auto, 0.05)->target, 0.05);
}

TEST(ConvergenceModel, ScalesWithTheLoss) {
  const auto plain = fitConvergence(seriesOf(sublinear, 40), Convergence::Auto);
  const auto scaled =
      fitConvergence(seriesOf([](double k) { return 1e6 * sublinear(k); }, 40), Convergence::Auto);
  EXPECT_NEAR(scaled->curve.at(50), 1e6 * plain->curve.at(50), 1e-3);
}

TEST(Level, GoesFromOneToZero) {
  EXPECT_EQ(levelOf(10, 10, 2), 1);
  EXPECT_EQ(levelOf(6, 10, 2), 0.5);
  EXPECT_EQ(levelOf(1, 10, 2), 0);
  EXPECT_EQ(levelOf(5, 5, 5), 0);
}

TEST(Level, IsReachedWhenTheCurveSaysSo) {
  const auto model = fitConvergence(seriesOf(superlinear, 40), Convergence::Superlinear);
  const auto ahead = iterationsToLevel(*model, superlinear(0), 40, 0.01);
  ASSERT_TRUE(ahead);
  const double final = model->forecastFinal(40);
  EXPECT_NEAR(levelOf(superlinear(40 + *ahead), superlinear(0), final), 0.01, 1e-3);
  EXPECT_EQ(iterationsToLevel(*model, superlinear(0), 40, 0.5), 0.0);
}

}  // namespace
}  // namespace slaq::forecast
