#include "forecast/speed/speed_curve.h"

#include <gtest/gtest.h>

#include <array>

namespace slaq::forecast {
namespace {

constexpr std::array<SpeedPoint, 3> kPoints = {SpeedPoint{2, 1}, {4, 3}, {8, 2}};

TEST(SpeedCurve, OfAParallelProgramGrowsWithTheCores) {
  EXPECT_DOUBLE_EQ(SpeedCurve().at(3), 3);
  EXPECT_DOUBLE_EQ(SpeedCurve::parallel(8).at(2), 0.25);
}

TEST(SpeedCurve, NeverPassesTheSerialPart) {
  const SpeedCurve curve = SpeedCurve::parallel(8, 2);
  EXPECT_DOUBLE_EQ(curve.at(4), 1.0 / (8.0 / 4 + 2));
  EXPECT_LT(curve.at(1e9), 0.5);
}

TEST(SpeedCurve, IsStraightBetweenPointsAndLevelAfterTheLast) {
  const SpeedCurve curve = SpeedCurve::through(kPoints);
  EXPECT_DOUBLE_EQ(curve.at(0), 0);
  EXPECT_DOUBLE_EQ(curve.at(1), 0.5);
  EXPECT_DOUBLE_EQ(curve.at(2), 1);
  EXPECT_DOUBLE_EQ(curve.at(3), 2);
  EXPECT_DOUBLE_EQ(curve.at(6), 2.5);
  EXPECT_DOUBLE_EQ(curve.at(8), 2);
  EXPECT_DOUBLE_EQ(curve.at(100), 2);
}

TEST(SpeedCurve, IsMeasuredInOtherUnits) {
  const SpeedCurve curve = SpeedCurve::through(kPoints).inUnitsOf(0.25).slowedBy(10);
  EXPECT_DOUBLE_EQ(curve.at(0.75), 0.2);
  EXPECT_DOUBLE_EQ(curve.at(2), 0.2);
}

TEST(SpeedCurve, IsLevelFromWhereNothingIsKnown) {
  const SpeedCurve curve = SpeedCurve::parallel(2).levelFrom(4);
  EXPECT_DOUBLE_EQ(curve.at(3), 1.5);
  EXPECT_DOUBLE_EQ(curve.at(9), 2);
  EXPECT_DOUBLE_EQ(SpeedCurve::through(kPoints).levelFrom(3).at(8), 2);
  const SpeedCurve inUnits = SpeedCurve::through(kPoints).levelFrom(3).inUnitsOf(4);
  EXPECT_DOUBLE_EQ(inUnits.at(4), 0.5);
  EXPECT_DOUBLE_EQ(inUnits.at(12), 2);
  EXPECT_DOUBLE_EQ(inUnits.at(16), 2);
}

TEST(SpeedCurve, KnowsItsFastestSize) {
  const SpeedCurve curve = SpeedCurve::through(kPoints);
  EXPECT_DOUBLE_EQ(curve.fastest(8), 3);
  EXPECT_DOUBLE_EQ(curve.fastest(3), 2);
  EXPECT_DOUBLE_EQ(SpeedCurve::parallel(2).fastest(6), 3);
}

}  // namespace
}  // namespace slaq::forecast
