#include "scheduler/runtime/pause_population.h"

#include <gtest/gtest.h>

namespace slaq::scheduler {
namespace {

TEST(PausePopulation, KnowsNothingBeforeTwoWereSeen) {
  PausePopulation pauses;
  pauses.update("a", {.grew = true, .pause = Seconds(5)});
  EXPECT_FALSE(pauses.expected("a").ofKind.grow);
  EXPECT_FALSE(pauses.expected("b").ofAll.shrink);
}

TEST(PausePopulation, ExpectsOfAKindWhatItsJobsDidAndOfOthersWhatAllDid) {
  PausePopulation pauses;
  for (int i = 0; i < 4; ++i) pauses.update("a", {.grew = true, .pause = Seconds(30)});
  for (int i = 0; i < 9; ++i) pauses.update("b", {.grew = true, .pause = Seconds(2)});
  for (int i = 0; i < 2; ++i) pauses.update("b", {.pause = Seconds(1)});
  EXPECT_EQ(pauses.expected("a").ofKind.grow, Seconds(30));
  EXPECT_EQ(pauses.expected("a").ofAll.shrink, Seconds(1));
  EXPECT_EQ(pauses.expected("c").ofAll.grow, Seconds(2));
}

TEST(PausePopulation, KnowsTheWorkThatIsLostWhereItWasSeen) {
  PausePopulation pauses;
  pauses.update("a", {.grew = true, .pause = Seconds(5), .lost = Seconds(300)});
  pauses.update("a", {.grew = false, .pause = Seconds(5), .lost = Seconds(200)});
  pauses.update("b", {.grew = false, .pause = Seconds(5)});
  EXPECT_EQ(pauses.expected("a").ofKind.lost, Seconds(300));
  EXPECT_FALSE(pauses.expected("b").ofKind.lost);
  EXPECT_EQ(pauses.expected("b").ofAll.lost, Seconds(300));
}

}  // namespace
}  // namespace slaq::scheduler
