#include "scheduler/runtime/pause_population.h"

#include <gtest/gtest.h>

namespace slaq::scheduler {
namespace {

TEST(PausePopulation, KnowsNothingBeforeTwoWereSeen) {
  PausePopulation pauses;
  pauses.update("a", true, Seconds(5));
  EXPECT_FALSE(pauses.expected("a").grow);
  EXPECT_FALSE(pauses.expected("b").shrink);
}

TEST(PausePopulation, ExpectsOfAKindWhatItsJobsDidAndOfOthersWhatAllDid) {
  PausePopulation pauses;
  for (int i = 0; i < 4; ++i) pauses.update("a", true, Seconds(30));
  for (int i = 0; i < 9; ++i) pauses.update("b", true, Seconds(2));
  for (int i = 0; i < 2; ++i) pauses.update("b", false, Seconds(1));
  EXPECT_EQ(pauses.expected("a").grow, Seconds(30));
  EXPECT_EQ(pauses.expected("a").shrink, Seconds(1));
  EXPECT_EQ(pauses.expected("c").grow, Seconds(2));
}

}  // namespace
}  // namespace slaq::scheduler
