#include "loop/epoch_timer.h"

#include <gtest/gtest.h>

namespace slaq::loop {
namespace {

EpochTimer timerOf(const scheduler::Policy* policy, double begin = 0) {
  return EpochTimer({.policy = policy, .epoch = Seconds(3)}, Seconds(begin));
}

double next(const EpochTimer& timer, std::optional<double> event = {}) {
  return timer.next(event ? std::optional(Seconds(*event)) : std::nullopt).count();
}

void passAt(EpochTimer& timer, double begun, double took = 0) {
  timer.pass(Seconds(begun), Seconds(begun + took));
}

TEST(EpochTimer, HasAnEpochInEachPeriodHoweverLongOneTook) {
  auto timer = timerOf(scheduler::findPolicy("LookAhead"), 100);
  EXPECT_DOUBLE_EQ(next(timer), 100);
  passAt(timer, 100, 0.5);
  EXPECT_DOUBLE_EQ(next(timer), 103);
  passAt(timer, 103, 2.9);
  EXPECT_DOUBLE_EQ(next(timer), 106);
}

TEST(EpochTimer, StartsAgainAfterAnEpochThatTookLongerThanThePeriod) {
  auto timer = timerOf(scheduler::findPolicy("LookAhead"));
  passAt(timer, 0, 7);
  EXPECT_DOUBLE_EQ(next(timer), 7);
  passAt(timer, 7, 0.1);
  EXPECT_DOUBLE_EQ(next(timer), 10);
}

TEST(EpochTimer, DecidesAMomentAfterAnEvent) {
  auto timer = timerOf(scheduler::findPolicy("LookAhead"));
  passAt(timer, 0);
  EXPECT_DOUBLE_EQ(next(timer, 1.5), 1.6);
  passAt(timer, 1.6);
  EXPECT_DOUBLE_EQ(next(timer), 3);  // the regular ones stay where they were
}

TEST(EpochTimer, KeepsItsDistanceFromTheEpochBefore) {
  auto timer = timerOf(scheduler::findPolicy("LookAhead"));
  passAt(timer, 0, 0.2);
  EXPECT_DOUBLE_EQ(next(timer, 0.3), 1.2);
  passAt(timer, 1.2);
  EXPECT_DOUBLE_EQ(next(timer, 1.3), 2.2);
  passAt(timer, 2.2);
  EXPECT_DOUBLE_EQ(next(timer, 2.3), 3);
}

TEST(EpochTimer, DecidesSoonerAgainWhereDecisionsCostLess) {
  EpochTimer timer({.policy = scheduler::findPolicy("LookAhead"), .epoch = Seconds(3)}, Seconds(0),
                   Seconds(0.1));
  passAt(timer, 0, 0.2);
  EXPECT_DOUBLE_EQ(next(timer, 0.1), 0.3);
  passAt(timer, 0.3);
  EXPECT_DOUBLE_EQ(next(timer, 0.3), 0.4);
}

TEST(EpochTimer, HasTheRegularEpochAlsoWhereAnEarlyOneCrossesIt) {
  auto timer = timerOf(scheduler::findPolicy("LookAhead"));
  passAt(timer, 0);
  passAt(timer, 2.2, 0.9);
  EXPECT_DOUBLE_EQ(next(timer), 3.1);
}

TEST(EpochTimer, LetsNoNewsPutOffTheRegularEpoch) {
  auto timer = timerOf(scheduler::findPolicy("LookAhead"));
  passAt(timer, 0);
  EXPECT_DOUBLE_EQ(next(timer, 2.95), 3);
  EXPECT_DOUBLE_EQ(next(timer, 20), 3);
}

TEST(EpochTimer, LetsPublishedPoliciesWaitForTheRegularEpoch) {
  for (const scheduler::Policy* const policy :
       {scheduler::findPolicy("TotalQuality"), scheduler::findPolicy("Fair")}) {
    auto timer = timerOf(policy);
    passAt(timer, 0);
    EXPECT_DOUBLE_EQ(next(timer, 1.5), 3);
  }
}

TEST(EpochTimer, PassesOverTimeWithoutJobs) {
  auto timer = timerOf(scheduler::findPolicy("Fair"));
  passAt(timer, 0);
  timer.passOver(Seconds(1'000'000));
  EXPECT_DOUBLE_EQ(next(timer), 1'000'002);
  timer.passOver(Seconds(5));
  EXPECT_DOUBLE_EQ(next(timer), 1'000'002);
}

}  // namespace
}  // namespace slaq::loop
