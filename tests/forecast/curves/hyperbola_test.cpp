#include "forecast/curves/hyperbola.h"

#include <gtest/gtest.h>

#include <random>

namespace slaq::forecast {
namespace {

TEST(Hyperbola, GoesThroughBothFalls) {
  const Curve curve = hyperbolaThrough(20, 5, {10, 1}, {60, 2.5});
  EXPECT_EQ(curve.family, CurveFamily::Sublinear);
  EXPECT_EQ(curve.a, 0);
  EXPECT_NEAR(curve.at(20), 5, 1e-12);
  EXPECT_NEAR(curve.at(30), 4, 1e-12);
  EXPECT_NEAR(curve.at(80), 2.5, 1e-12);
}

TEST(Hyperbola, IsAsStraightAsItCanWhereTheLossFallsEverFaster) {
  const Curve curve = hyperbolaThrough(0, 5, {10, 1}, {20, 3});
  EXPECT_NEAR(curve.at(10), 4, 1e-6);
  EXPECT_NEAR(curve.at(20), 3, 1e-4);
}

TEST(Hyperbola, IsLevelAfterAFallThatIsOverAtOnce) {
  const Curve curve = hyperbolaThrough(0, 5, {10, 1}, {60, 1});
  EXPECT_NEAR(curve.at(10), 4, 1e-9);
  EXPECT_NEAR(curve.at(1e6), 4, 2e-3);
}

TEST(Hyperbola, ExpectsNothingWhereNothingFalls) {
  EXPECT_EQ(hyperbolaThrough(3, 5, {10, -1}, {60, -2}).reduction(3, 1000), 0);
  EXPECT_EQ(lineFrom(3, 5, -1).reduction(3, 1000), 0);
}

TEST(Line, GoesOnAtTheSamePace) {
  const Curve curve = lineFrom(7, 5, 0.25);
  EXPECT_NEAR(curve.at(17), 2.5, 1e-4);
  EXPECT_NEAR(curve.at(1007), -245, 0.3);
}

TEST(Hyperbola, IsFiniteAndFallsEverMoreSlowlyWhateverTheFalls) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  for (int round = 0; round < 5000; ++round) {
    const double scale = std::pow(10.0, std::uniform_real_distribution<double>(-300, 300)(random));
    const Curve curve = hyperbolaThrough(50, scale * normal(random), {10, scale * normal(random)},
                                         {150, scale * normal(random)});
    double before = scale * 1e3;
    for (double ahead = 1; ahead < 1e9; ahead *= 2) {
      const double slope = curve.reduction(50, ahead) / ahead;
      ASSERT_TRUE(std::isfinite(slope)) << round;
      ASSERT_LE(slope, before * (1 + 1e-6)) << round;
      before = std::max(slope, scale * 1e-9);
    }
  }
}

}  // namespace
}  // namespace slaq::forecast
