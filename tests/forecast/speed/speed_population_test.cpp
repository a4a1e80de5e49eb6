#include "forecast/speed/speed_population.h"

#include <gtest/gtest.h>

namespace slaq::forecast {
namespace {

// An iteration of 100 seconds with one worker, 10 of them serial.
std::vector<TimedSize> limited(double scale = 1) {
  return {{1, 100 * scale, 10}, {2, 55 * scale, 10}, {4, 32.5 * scale, 10}, {8, 21.25 * scale, 10}};
}

std::vector<TimedSize> shared(double scale = 1) {
  return {{1, 100 * scale, 10}, {2, 50 * scale, 10}, {4, 25 * scale, 10}, {8, 12.5 * scale, 10}};
}

TEST(SpeedPopulation, ExpectsAParallelProgramBeforeAnythingWasSeen) {
  const ExpectedSpeed expected = SpeedPopulation().expected("", 1);
  EXPECT_FALSE(expected.isTimed);
  EXPECT_DOUBLE_EQ(expected.curve().at(8) / expected.curve().at(1), 8);
}

TEST(SpeedPopulation, ExpectsOfAKindWhatItsJobsDid) {
  SpeedPopulation population;
  population.update("resnet", limited(), 2);
  population.update("other", shared(50), 2);
  const ExpectedSpeed expected = population.expected("resnet", 2);
  EXPECT_TRUE(expected.isTimed);
  EXPECT_EQ(expected.largest, 8);
  EXPECT_NEAR(1 / expected.curve().at(2), 55, 5);
  EXPECT_NEAR(1 / expected.curve().at(8), 21, 2);
}

TEST(SpeedPopulation, ExpectsOfOthersTheTypicalCost) {
  SpeedPopulation population;
  population.update("a", std::vector<TimedSize>{{4, 10, 5}}, 1);  // 40 core-seconds
  population.update("b", std::vector<TimedSize>{{4, 20, 5}}, 2);  // 160 core-seconds
  const ExpectedSpeed expected = population.expected("c", 1);
  EXPECT_TRUE(expected.isTimed);
  EXPECT_NEAR(1 / expected.curve().at(1), 80, 1);
  EXPECT_EQ(expected.largest, 0);
}

// One job tells little of another, and what one job tells twice says no more than once.
TEST(SpeedPopulation, IsSureOfTheTypicalCostOnlyOnceManyJobsWereSeen) {
  const TimedSize measured[] = {{.size = 1, .seconds = 2, .weight = 5}};
  SpeedPopulation one;
  one.update("", measured, 1);
  EXPECT_GT(one.expected("", 1).spread, std::log(9));
  one.update("", measured, 1, false);
  EXPECT_GT(one.expected("", 1).spread, std::log(9));
  SpeedPopulation alike;
  for (int i = 0; i < 50; ++i) alike.update("", measured, 1);
  EXPECT_LT(alike.expected("", 1).spread, std::log(1.5));
  SpeedPopulation various;
  for (int i = 0; i < 50; ++i) {
    const TimedSize other[] = {{.size = 1, .seconds = i % 2 == 0 ? 0.2 : 20, .weight = 5}};
    various.update("", other, 1);
  }
  EXPECT_GT(various.expected("", 1).spread, std::log(8));
  one.update("known", measured, 1);
  EXPECT_EQ(one.expected("known", 1).spread, 0);
}

TEST(SpeedPopulation, ExpectsTheShapeThatJobsHaveOnTheMean) {
  SpeedPopulation population;
  for (int i = 0; i < 10; ++i) population.update("", limited(1 + i), 1);
  const SpeedCurve curve = population.expected("", 1).curve();
  EXPECT_NEAR(curve.at(8) / curve.at(1), 100 / 21.25, 0.5);
}

TEST(SpeedPopulation, TrustsTheSizesOfOthersOnlyWhereAllScaleAlike) {
  SpeedPopulation alike;
  SpeedPopulation unlike;
  for (int i = 0; i < 10; ++i) {
    alike.update("", shared(1 + i), 1);
    unlike.update("", i % 2 == 0 ? shared() : std::vector<TimedSize>{{1, 10, 10}, {8, 20, 10}}, 1);
  }
  EXPECT_GE(alike.expected("", 1).largest, 8);
  EXPECT_EQ(unlike.expected("", 1).largest, 0);
}

TEST(SpeedPopulation, KeepsWhatItSaidOnceThoughItIsUpdated) {
  SpeedPopulation population;
  population.update("a", limited(), 1);
  const ExpectedSpeed before = population.expected("a", 1);
  const double speed = before.curve().at(4);
  population.update("a", limited(3), 1);
  EXPECT_DOUBLE_EQ(before.curve().at(4), speed);
}

}  // namespace
}  // namespace slaq::forecast
