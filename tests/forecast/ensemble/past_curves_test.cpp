#include "forecast/ensemble/past_curves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "forecast/trainings.h"

namespace slaq::forecast {
namespace {

using test::seriesOf;

constexpr double kOwnError = 0.1;

// A step down after 30 iterations, as where a learning rate is lowered.
double withStep(double k) { return k < 30 ? 1 - 0.01 * k : 0.3 - 0.001 * std::min(k - 30, 30.0); }

void record(PastCurves& curves, const std::string& uid, const LossSeries& series) {
  curves.record(uid, series, {Curve{.floor = series.last().value()}, {}});
}

double reductionAfter(const PastForecast& forecast, double ahead) {
  const auto at = std::ranges::lower_bound(forecast.falls, ahead, {}, &PastForecast::Fall::ahead);
  return at->reduction;
}

TEST(PastCurves, ForeseesAStepThatAnotherTrainingTook) {
  PastCurves curves;
  record(curves, "one", seriesOf(withStep, 60));
  const auto forecast = curves.forecast("two", seriesOf(withStep, 20), kOwnError);
  ASSERT_TRUE(forecast);
  EXPECT_NEAR(reductionAfter(*forecast, 5), 0.05, 0.01);
  EXPECT_NEAR(reductionAfter(*forecast, 20), withStep(20) - withStep(40), 0.02);
  EXPECT_GT(forecast->weight, 1);  // it foretells better than the training's own forecast
}

TEST(PastCurves, ScaleALossInAnotherUnit) {
  PastCurves curves;
  record(curves, "one", seriesOf(withStep, 60));
  const auto forecast =
      curves.forecast("two", seriesOf([](double k) { return 1000 * withStep(k); }, 20), kOwnError);
  ASSERT_TRUE(forecast);
  EXPECT_NEAR(reductionAfter(*forecast, 20), 1000 * (withStep(20) - withStep(40)), 20);
}

TEST(PastCurves, OfAnUnlikeTrainingCountLittle) {
  PastCurves curves;
  record(curves, "one", seriesOf(withStep, 60));
  const auto forecast =
      curves.forecast("two", seriesOf([](double k) { return std::exp(-k); }, 20), kOwnError);
  EXPECT_TRUE(!forecast || forecast->weight < 0.05);
}

TEST(PastCurves, TellATrainingWithoutLossesItsLevels) {
  PastCurves curves;
  record(curves, "one", seriesOf([](double k) { return 5 + 3 * withStep(k); }, 60));
  const auto forecast = curves.forecast("two", {}, kOwnError);
  ASSERT_TRUE(forecast);
  EXPECT_EQ(forecast->falls.front().reduction, 0);
  EXPECT_NEAR(forecast->falls.back().reduction, 1, 1e-9);
}

TEST(PastCurves, CountLessBeforeTheirTrainingHasComeFar) {
  PastCurves whole, part;
  record(whole, "one", seriesOf(withStep, 60));
  part.record("one", seriesOf(withStep, 20), {Curve{.floor = 0.27}, {}});
  EXPECT_LT(part.forecast("two", {}, kOwnError)->weight, 0.2 * whole.forecast("two", {}, kOwnError)->weight);
}

TEST(PastCurves, AreRecordedAgainAsTheirTrainingGoesOn) {
  PastCurves curves;
  for (int iterations = 2; iterations <= 60; iterations *= 2)
    record(curves, "one", seriesOf(withStep, iterations));
  record(curves, "one", seriesOf(withStep, 60));
  EXPECT_NEAR(curves.forecast("two", {}, kOwnError)->weight, 1, 1e-9);  // one training, not six
  EXPECT_FALSE(curves.forecast("one", {}, kOwnError));
}

TEST(PastCurves, AreNotDisplacedByTrainingsThatHaveJustBegun) {
  PastCurves curves;
  record(curves, "whole", seriesOf(withStep, 60));
  for (int i = 0; i < 40; ++i)
    curves.record(std::to_string(i), seriesOf(withStep, 2), {Curve{.floor = 0.27}, {}});
  EXPECT_GT(curves.forecast("new", {}, kOwnError)->weight, 0.99);
}

TEST(PastCurves, AreNotJudgedByASingleLoss) {
  PastCurves curves;
  record(curves, "one", seriesOf(withStep, 60));
  EXPECT_NEAR(curves.forecast("two", seriesOf(withStep, 0), kOwnError)->weight, 1, 1e-9);
}

TEST(PastCurves, OfATrainingThatRoseCountNothing) {
  PastCurves curves;
  record(curves, "one", seriesOf([](double k) { return 1 + 0.01 * k; }, 60));
  const auto forecast = curves.forecast("two", {}, kOwnError);
  EXPECT_TRUE(!forecast || forecast->weight < 1e-9);
}

TEST(PastCurves, WithoutUidsAreTrainingsOfTheirOwn) {
  PastCurves curves;
  for (int i = 0; i < 3; ++i) record(curves, "", seriesOf(withStep, 60));
  EXPECT_NEAR(curves.forecast("two", {}, kOwnError)->weight, 3, 1e-9);
}

// As after a restart of the controller, where only the newest losses are read.
TEST(PastCurves, ScaleASeriesThatBeginsLate) {
  PastCurves curves;
  record(curves, "one", seriesOf(withStep, 60));
  LossSeries late;
  late.add(Iterations(20), Loss(withStep(20)));
  const auto forecast = curves.forecast("two", late, kOwnError);
  ASSERT_TRUE(forecast);
  EXPECT_NEAR(reductionAfter(*forecast, 20), withStep(20) - withStep(40), 0.02);
}

TEST(PastCurves, ForgetTheOneThatWasRecordedLongestAgo) {
  PastCurves curves;
  record(curves, "late", seriesOf([](double k) { return k < 50 ? 1 : 0; }, 60));
  for (int i = 0; i < 16; ++i) record(curves, std::to_string(i), seriesOf(withStep, 60));
  EXPECT_NEAR(reductionAfter(*curves.forecast("new", {}, kOwnError), 40), 1, 0.05);
}

TEST(PastCurves, ExpectNoRiseOfALossThatRises) {
  PastCurves curves;
  record(curves, "one", seriesOf([](double k) { return std::abs(k - 20) / 20; }, 30));
  const auto forecast = curves.forecast("two", seriesOf(withStep, 10), kOwnError);
  ASSERT_TRUE(forecast);
  for (std::size_t i = 1; i < forecast->falls.size(); ++i)
    EXPECT_GE(forecast->falls[i].reduction, forecast->falls[i - 1].reduction);
}

TEST(PastCurves, AreFiniteWhateverTheLosses) {
  int forecasts = 0;
  for (const double huge : {1e300, -1e300, 1e-300}) {
    PastCurves curves;
    record(curves, "one", seriesOf([&](double k) { return huge / (1 + k); }, 10));
    record(curves, "two", seriesOf(withStep, 60));
    const auto forecast =
        curves.forecast("three", seriesOf([&](double k) { return huge * (1 - 0.1 * k); }, 5), kOwnError);
    if (!forecast) continue;
    ++forecasts;
    EXPECT_TRUE(std::isfinite(forecast->weight));
    for (const auto& fall : forecast->falls) EXPECT_TRUE(std::isfinite(fall.reduction)) << huge;
  }
  EXPECT_GT(forecasts, 0);
}

}  // namespace
}  // namespace slaq::forecast
