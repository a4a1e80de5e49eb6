#include "forecast/speed/iteration_time.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace slaq::forecast {
namespace {

// What iterations take on the mean, if each is off by 5% of its time.
std::vector<TimedSize> seenAt(const std::vector<double>& sizes, const IterationTime& truth, int iterations,
                              unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> noise(1, 0.05);
  std::vector<TimedSize> seen;
  for (const double size : sizes) {
    double sum = 0;
    for (int i = 0; i < iterations; ++i) sum += truth.at(size) * noise(random);
    seen.push_back({size, sum / iterations, static_cast<double>(iterations)});
  }
  return seen;
}

TEST(IterationTime, IsTheFormulaOfErnest) {
  const IterationTime time{{1, 8, 2, 0.5}};
  EXPECT_DOUBLE_EQ(time.at(1), 1 + 8 + 0.5);
  EXPECT_DOUBLE_EQ(time.at(4), 1 + 2 + 2 * std::log(4.0) + 2);
}

TEST(IterationTime, OfOneSizeIsShared) {
  EXPECT_DOUBLE_EQ(fitIterationTime(std::vector<TimedSize>{{4, 3, 9}}).at(8), 1.5);
}

TEST(IterationTime, IsFoundAfterThreeSizesInSpiteOfNoise) {
  const std::vector<IterationTime> truths = {{{0, 100, 0, 0}},  {{10, 100, 0, 0}}, {{0, 100, 0, 2}},
                                             {{0, 100, 10, 0}}, {{30, 30, 0, 0}},  {{5, 200, 0, 3}}};
  for (const IterationTime& truth : truths) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
      const auto fit = fitIterationTime(seenAt({1, 4, 16}, truth, 25, seed));
      for (const double size : {1, 2, 4, 8, 16}) {
        ASSERT_NEAR(fit.at(size), truth.at(size), 0.1 * truth.at(size))
            << "size " << size << " of " << truth.coefficients[0] << " " << truth.coefficients[1] << " "
            << truth.coefficients[2] << " " << truth.coefficients[3] << ", seed " << seed;
      }
    }
  }
}

TEST(IterationTime, RecoversTheCoefficientsThatCount) {
  const IterationTime truth{{20, 200, 0, 0}};
  double serial = 0;
  double shared = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const auto fit = fitIterationTime(seenAt({1, 4, 16}, truth, 25, seed));
    serial += fit.coefficients[0] / 100;
    shared += fit.coefficients[1] / 100;
  }
  EXPECT_NEAR(serial, 20, 2);
  EXPECT_NEAR(shared, 200, 20);
}

TEST(IterationTime, StaysSharedWhereNothingElseIsCertain) {
  int shared = 0;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    const auto fit = fitIterationTime(seenAt({2, 4, 8, 16}, {{0, 60, 0, 0}}, 4, seed));
    if (fit.coefficients[0] == 0 && fit.coefficients[2] == 0 && fit.coefficients[3] == 0) ++shared;
  }
  EXPECT_GE(shared, 90);
}

TEST(IterationTime, HasNoNegativePart) {
  // Faster than shared work can be: cores that bring memory with them.
  const auto fit = fitIterationTime(std::vector<TimedSize>{{1, 100, 20}, {2, 30, 20}, {4, 8, 20}});
  for (const double coefficient : fit.coefficients) EXPECT_GE(coefficient, 0);
}

}  // namespace
}  // namespace slaq::forecast
