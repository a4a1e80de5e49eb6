// Decisions explain themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "schedule/world.h"

namespace slaq {
namespace {

using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

TEST(Reason, SaysWhatTheNextWorkerGainsAndWhatItCosts) {
  World world(Cores(10000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 6);
  world.learned(0, 0.05);
  world.learned(1, 0.02);
  const auto plan = world.decide();
  ASSERT_TRUE(plan.price);
  EXPECT_GT(*plan.price, 0);
  const std::string price = toDecimal(*plan.price, 2);
  for (const auto& job : plan.jobs) {
    EXPECT_THAT(job.reason,
                ::testing::AnyOf(HasSubstr("the price " + price), HasSubstr("the price is " + price),
                                 HasSubstr("less than a resize costs")))
        << job.reason;
  }
}

TEST(Reason, OfAShrinkSaysWhatIsLost) {
  World world(Cores(8000));
  run(world.add(viewOf("converged")), 4);
  run(world.add(viewOf("learns")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_THAT(plan.jobs[0].reason,
              MatchesRegex("4 -> 1: its last worker gains [-0-9.e]+, under the price 0.[0-9]+"));
  EXPECT_THAT(plan.jobs[1].reason,
              MatchesRegex("4 -> 7: its last worker gains 0.[0-9]+, the price is 0.[0-9]+; "
                           "waits for 3 cores that others are giving back"));
}

TEST(Reason, OfAJobAtItsMaximumSaysSo) {
  World world(Cores(8000));
  run(world.add(viewOf("a", 1, 4)), 4);
  world.learned(0, 0.001);
  EXPECT_EQ(world.decide().jobs[0].reason, "keeps 4: all that it may have");
}

TEST(Reason, UnderMinQualityComparesLevels) {
  World world(Cores(8000));
  world.settings.policy = PolicyName::MinQuality;
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_FALSE(plan.price);
  EXPECT_THAT(plan.jobs[0].reason,
              MatchesRegex("4 -> 1: its level in 30 s is [-0-9.e]+, the worst job's 0.[0-9]+"));
}

TEST(Reason, ComesWithTheLossThatIsExpectedAtTheNextEpoch) {
  World world(Cores(4000));
  run(world.add(viewOf("a")), 4);
  world.learned(0, 0.01);  // two iterations a second, 40 or nearly 41 so far
  const auto plan = world.decide();
  ASSERT_TRUE(plan.jobs[0].forecast);
  EXPECT_NEAR(plan.jobs[0].forecast->value(), std::exp(-0.01 * 46.5), 4e-3);
}

}  // namespace
}  // namespace slaq
