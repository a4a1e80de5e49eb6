#include "forecast/speed/speed_estimate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

namespace slaq::forecast {
namespace {

double secondsAt(const std::vector<SpeedPoint>& points, double size) {
  return 1 / SpeedCurve::through(points).at(size);
}

TEST(SpeedEstimate, IsWhatIsExpectedOfOneSizeScaledToIt) {
  const auto points = estimateSpeed(std::vector<TimedSize>{{4, 5, 10}}, SpeedCurve::parallel(10, 1), 16);
  EXPECT_NEAR(secondsAt(points, 4), 5, 1e-9);
  EXPECT_NEAR(secondsAt(points, 16), 5 * (10.0 / 16 + 1) / (10.0 / 4 + 1), 1e-9);
}

TEST(SpeedEstimate, FindsThatMoreWorkersDoNotHelp) {
  const std::vector<TimedSize> measured = {{1, 100, 20}, {2, 60, 20}, {4, 45, 20}, {8, 44, 20}};
  const auto points = estimateSpeed(measured, SpeedCurve(), 16);
  EXPECT_NEAR(secondsAt(points, 2), 60, 5);
  EXPECT_NEAR(secondsAt(points, 8), 44, 4);
  EXPECT_GT(secondsAt(points, 16), 35);
}

TEST(SpeedEstimate, TakesTheMeanOfASizeThatWasMeasuredOften) {
  // With 4 workers on one node it is fast, with 8 on two it is slow, as of no formula.
  const std::vector<TimedSize> measured = {
      {1, 755, 30}, {2, 388, 30}, {4, 257, 30}, {8, 477, 30}, {16, 342, 30}};
  const auto points = estimateSpeed(measured, SpeedCurve(), 32);
  for (const TimedSize& each : measured)
    EXPECT_NEAR(secondsAt(points, each.size), each.seconds, 0.1 * each.seconds);
  EXPECT_GT(secondsAt(points, 6), secondsAt(points, 4));
}

// The logarithm alone would fit best, and have an iteration with one worker take no time.
TEST(SpeedEstimate, IsFiniteWhereTimesRiseLikeALogarithm) {
  for (const double next : {1.2, 1.25, 1.3, 1.6, 1.8, 2.1}) {
    for (const auto& sizes : {std::pair{4.0, 5.0}, {4.0, 8.0}, {2.0, 3.0}, {3.0, 4.0}}) {
      const std::vector<TimedSize> measured = {{sizes.first, 1, 30}, {sizes.second, next, 30}};
      for (const SpeedPoint& point : estimateSpeed(measured, SpeedCurve(), 10)) {
        EXPECT_TRUE(std::isfinite(point.speed) && point.speed > 0) << sizes.first << " " << next;
        EXPECT_TRUE(point.size >= sizes.first || point.speed < 1.4) << sizes.first << " " << next;
      }
    }
  }
}

TEST(SpeedEstimate, IsNotMovedByChance) {
  const std::vector<TimedSize> measured = {{4, 2.6, 2}, {5, 1.9, 2}, {6, 1.7, 2}};
  const auto points = estimateSpeed(measured, SpeedCurve(), 12);
  EXPECT_NEAR(secondsAt(points, 12), 10.0 / 12, 0.1);
  EXPECT_NEAR(secondsAt(points, 4), 10.0 / 4, 0.2);
}

}  // namespace
}  // namespace slaq::forecast
