#include "schedule/lanes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace slaq {
namespace {

constexpr double kRelative = 1e-6;

TEST(Lanes, TakeLogarithmsOfOnePlusX) {
  std::vector<float> all = {0, 1e-30f, -1e-30f, 0.5f, -0.5f, -0.999f, 1e9f};
  for (float x = 1e-7f; x < 1e6f; x *= 1.07f) {
    all.push_back(x);
    if (x < 1) all.push_back(-x);
  }
  for (const float x : all) {
    const double expected = std::log1p(static_cast<double>(x));
    EXPECT_NEAR(logOnePlus(Lanes{} + x)[0], expected, kRelative * std::abs(expected)) << x;
  }
}

TEST(Lanes, TakeTheShareFallenOfExponentials) {
  std::vector<float> all = {0};
  for (float r = 1e-7f; r < 40; r *= 1.07f) {
    all.push_back(r);
    all.push_back(-r);
  }
  for (const float r : all) {
    const double expected = -std::expm1(-static_cast<double>(r));
    EXPECT_NEAR(shareFallen(Lanes{} + r)[0], expected, kRelative * std::abs(expected)) << r;
  }
}

TEST(Lanes, AreFiniteFarOutside) {
  for (const float r : {-1e30f, 1e30f}) EXPECT_TRUE(std::isfinite(shareFallen(Lanes{} + r)[0])) << r;
}

constexpr Lanes kOnes{1, 1, 1, 1, 1, 1, 1, 1};
constexpr Lanes kPowers{1, 2, 4, 8, 16, 32, 64, 128};

TEST(Lanes, AddUp) {
  EXPECT_EQ(sum(kPowers), 255);
  const Lanes four = sums(kOnes, kPowers, 2.0f * kOnes, 3.0f * kPowers);
  const float expected[] = {8, 255, 16, 765};
  for (std::size_t i = 0; i < kLanes; ++i) EXPECT_EQ(four[i], expected[i % 4]) << i;
}

TEST(Lanes, TakeSquareRoots) {
  for (float x = 1e-30f; x < 1e30f; x *= 3.7f) {
    EXPECT_EQ(squareRoot(Lanes{} + x)[3], std::sqrt(x)) << x;
  }
}

}  // namespace
}  // namespace slaq
