#include "forecast/ensemble/weighing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slaq::forecast {
namespace {

// Forecasts of changes at once, whatever is asked; unknown where not given.
ExpertForecasts forecastsOf(std::initializer_list<double> changes) {
  ExpertForecasts forecasts;
  std::size_t i = 0;
  for (const double change : changes) forecasts[i++] = {.isKnown = true, .lift = change};
  return forecasts;
}

TEST(Weighing, BeginsWithTheMeanOfThoseThatCanForecast) {
  const auto forecasts = forecastsOf({-1, -2, -6});
  const WeightedForecast all(Experts{}, forecasts, {}, 0);
  EXPECT_NEAR(all.changeAfter(10), -3, 1e-12);
  EXPECT_NEAR(all.lift(), -3, 1e-12);
}

TEST(Weighing, FollowsTheExpertThatWasRight) {
  const auto forecasts = forecastsOf({-1, -2, -6});
  ErrorRecord errors;
  errors.add(forecasts, 10, -2);
  EXPECT_NEAR(WeightedForecast(Experts{}, forecasts, errors, 0).changeAfter(10), -2, 1e-9);
}

TEST(Weighing, WeighsByTheFourthPowerOfTheErrors) {
  const auto forecasts = forecastsOf({1, -1.5});
  ErrorRecord errors;
  errors.add(forecasts, 10, 0);
  const double ratio = std::pow((errors.means()[1] + 1e-3) / (errors.means()[0] + 1e-3), 4);
  EXPECT_NEAR(errors.means()[1] / errors.means()[0], 1.5, 1e-12);
  EXPECT_NEAR(WeightedForecast(Experts{}, forecasts, errors, 0).changeAfter(10), (ratio - 1.5) / (ratio + 1),
              1e-12);
}

TEST(Weighing, ForgetsOldErrors) {
  const auto forecasts = forecastsOf({-1, -2});
  ErrorRecord errors;
  errors.add(forecasts, 10, -1);
  for (int i = 0; i < 100; ++i) {
    errors.fade();
    errors.add(forecasts, 10, -2);
  }
  EXPECT_NEAR(WeightedForecast(Experts{}, forecasts, errors, 0).changeAfter(10), -2, 1e-3);
}

TEST(Weighing, TakesTheMeanOfLogarithmsWhereTheKnownFloorWasRight) {
  Experts experts;
  experts.fill({Shape::Hyperbola, View::Points4, Floor::Known});
  const auto forecasts = forecastsOf({-0.5, -0.875});
  // Halving and falling to an eighth come to falling to a quarter.
  EXPECT_NEAR(WeightedForecast(experts, forecasts, {}, 1).changeAfter(10), -0.75, 1e-12);
  EXPECT_NEAR(WeightedForecast(experts, forecasts, {}, 0).changeAfter(10), -0.6875, 1e-12);
}

}  // namespace
}  // namespace slaq::forecast
