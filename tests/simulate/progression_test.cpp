#include "simulate/run/progression.h"

#include <gmock/gmock.h>

namespace slaq::simulate {
namespace {

TEST(Progression, CountsFromArrival) {
  Progression job(Seconds(10), {{5, 3, 1}});
  EXPECT_EQ(job.normalized(), 1);
  job.reach(Seconds(14), 3);
  EXPECT_EQ(job.normalized(), 0.5);
  job.reach(Seconds(20), 1);
  job.complete(Seconds(20));
  EXPECT_DOUBLE_EQ(job.integral(), 4 * 1 + 6 * 0.5);
  EXPECT_EQ(job.completion(), Seconds(10));
  EXPECT_THAT(job.reductions(), ::testing::ElementsAre(Seconds(4), Seconds(4), Seconds(10), Seconds(10),
                                                       Seconds(10), Seconds(10), Seconds(10)));
}

TEST(Progression, ALevelIsReachedTheFirstTime) {
  Progression job(Seconds(0), {{1, 0.4, 0.8, 0}});
  job.reach(Seconds(1), 0.4);
  job.reach(Seconds(2), 0.8);
  job.reach(Seconds(3), 0);
  EXPECT_EQ(job.reductions()[1], Seconds(1));  // 50%
  EXPECT_EQ(job.reductions()[2], Seconds(3));  // 75%
}

TEST(Progression, TheRangeEndsAtTheLowestLossAndNotAtTheLast) {
  Progression job(Seconds(0), {{2, -2, 0}});
  job.reach(Seconds(1), -2);
  EXPECT_EQ(job.normalized(), 0);
  job.reach(Seconds(2), 0);
  EXPECT_EQ(job.normalized(), 0.5);
}

TEST(Progression, ALossThatNeverFallsHasNothingToReduce) {
  Progression job(Seconds(3), {{1, 2, 3}});
  job.reach(Seconds(4), 2);
  EXPECT_EQ(job.normalized(), 0);
  EXPECT_EQ(job.integral(), 0);
  EXPECT_EQ(job.reductions().back(), Seconds(0));
}

}  // namespace
}  // namespace slaq::simulate
