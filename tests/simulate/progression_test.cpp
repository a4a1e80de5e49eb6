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
  Progression job(Seconds(0), {{1, 0.4, 0.45, 0}});
  job.reach(Seconds(1), 0.4);
  job.reach(Seconds(2), 0.45);
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

TEST(Progression, ALossThatDoesNotFallHasNoReductions) {
  const Trace traces[] = {{{1, 2, 3}}, {{1, 1, 1}}, {{1.02, 0.98, 1.01, 0.97, 1.03, 0.99, 1.02, 0.98}}};
  for (const auto& trace : traces) {
    Progression job(Seconds(3), trace);
    for (std::size_t k = 1; k < trace.losses.size(); ++k)
      job.reach(Seconds(3 + static_cast<double>(k)), trace.losses[k]);
    EXPECT_FALSE(job.falls());
    EXPECT_EQ(job.normalized(), 0);
    EXPECT_EQ(job.integral(), 0);
    EXPECT_THAT(job.reductions(), ::testing::Each(std::optional<Seconds>()));
  }
}

}  // namespace
}  // namespace slaq::simulate
