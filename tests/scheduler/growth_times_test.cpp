#include "scheduler/runtime/growth_times.h"

#include <gtest/gtest.h>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;

TEST(GrowthTimes, GiveAGrowthHalfAMinuteAtLeastAndFiveAtMost) {
  GrowthTimes growths;
  EXPECT_EQ(growths.timeout(at(0)), Seconds(30));
  for (int i = 0; i < 5; ++i) growths.add(Seconds(4), at(0));
  EXPECT_EQ(growths.timeout(at(1)), Seconds(30));
  for (int i = 0; i < 20; ++i) growths.add(Seconds(1000), at(2));
  EXPECT_EQ(growths.timeout(at(3)), Seconds(300));
}

// A few that take minutes do not make all others wait.
TEST(GrowthTimes, AreThoseOfMostGrowths) {
  GrowthTimes growths;
  for (int i = 0; i < 20; ++i) growths.add(Seconds(i % 3 == 0 ? 250 : 20), at(i));
  EXPECT_EQ(growths.timeout(at(20)), Seconds(40));
}

TEST(GrowthTimes, ForgetWhatWasSlowLongAgo) {
  GrowthTimes growths;
  for (int i = 0; i < 16; ++i) growths.add(Seconds(100), at(0));
  EXPECT_EQ(growths.timeout(at(100)), Seconds(200));
  EXPECT_EQ(growths.timeout(at(200)), Seconds(30));
  for (int i = 0; i < 2; ++i) growths.add(Seconds(20), at(200));
  EXPECT_EQ(growths.timeout(at(200)), Seconds(40));
}

}  // namespace
}  // namespace slaq::scheduler
