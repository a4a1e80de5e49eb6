#include "forecast/ensemble/expert_forecasts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace slaq::forecast {
namespace {

// A job's losses after iterations 0 to kSeen.
struct Job {
  static constexpr int kSeen = 60;
  std::vector<double> iterations;
  std::vector<double> losses;

  explicit Job(const std::function<double(double)>& loss) {
    for (int k = 0; k <= kSeen; ++k) {
      iterations.push_back(k);
      losses.push_back(loss(k));
    }
  }

  Observations observations(std::optional<double> floor) const {
    const auto [lowest, highest] = std::ranges::minmax(losses);
    return {iterations, losses, lowest, highest, floor};
  }

  // The loss that one expert expects.
  double expectedAfter(double ahead, const Expert& expert, std::optional<double> floor = {}) const {
    const Observations seen = observations(floor);
    Experts experts;
    experts.fill(expert);
    const ExpertForecast forecast = forecastsOf(experts, levelsOf(seen), seen).front();
    EXPECT_TRUE(forecast.isKnown);
    return losses.back() + (seen.highest - seen.lowest) * forecast.changeAfter(ahead);
  }
};

TEST(ExpertForecasts, GoOnAlongAnExponentialDecayToTheKnownFloor) {
  const auto loss = [](double k) { return 2 + 3 * std::exp(-0.05 * k); };
  for (const View view : {View::Points4, View::Points8, View::Points33, View::Points66}) {
    EXPECT_NEAR(Job(loss).expectedAfter(20, {Shape::Hyperbola, view, Floor::Known}, 2), loss(Job::kSeen + 20),
                1e-6)
        << name(view);
  }
}

TEST(ExpertForecasts, GoOnAlongAPowerLawToTheKnownFloor) {
  const auto loss = [](double k) { return 2 + 3 * std::pow(1 + k, -0.7); };
  for (const View view : {View::Points4, View::Points8, View::Points33, View::Points66}) {
    EXPECT_NEAR(Job(loss).expectedAfter(50, {Shape::Power, view, Floor::Known}, 2), loss(Job::kSeen + 50),
                1e-9)
        << name(view);
  }
}

TEST(ExpertForecasts, FindTheFloorOfAnExponentialDecay) {
  const auto loss = [](double k) { return 2 + 3 * std::exp(-0.05 * k); };
  EXPECT_NEAR(Job(loss).expectedAfter(20, {Shape::Hyperbola, View::Points8, Floor::Bent}),
              loss(Job::kSeen + 20), 1e-6);
}

TEST(ExpertForecasts, StayAboveTheirFloors) {
  const Job job([](double k) { return 1 / (1 + 0.1 * k); });
  for (const Shape shape : {Shape::Hyperbola, Shape::Power}) {
    for (const View view : kViews) {
      EXPECT_GE(job.expectedAfter(1e6, {shape, view, Floor::Known}, 0), 0) << name(shape) << name(view);
    }
  }
}

TEST(ExpertForecasts, ExpectNoChangeOfALossThatRoseByPowerLaws) {
  const Job job([](double k) { return 1 + 0.01 * k; });
  EXPECT_NEAR(job.expectedAfter(100, {Shape::Power, View::Points8, Floor::Far}), job.losses.back(), 1e-12);
  EXPECT_EQ(job.expectedAfter(100, {}), job.losses.back());
}

TEST(ExpertForecasts, AreUnknownOfABlockWithoutAnyPair) {
  const std::vector<double> iterations = {0, 1, 2, 100};
  const std::vector<double> losses = {4, 3, 2, 1};
  const Observations seen{iterations, losses, 1, 4};
  Experts experts;
  experts.fill({Shape::Hyperbola, View::Blocks8, Floor::Far});
  const ExpertForecast forecast = forecastsOf(experts, levelsOf(seen), seen).front();
  EXPECT_FALSE(forecast.isKnown);
  EXPECT_EQ(forecast.changeAfter(10), 0);
}

}  // namespace
}  // namespace slaq::forecast
