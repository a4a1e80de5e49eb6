#include "loop/timetable.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

Timetable timetableOf(const Policy* policy, double begin = 0) {
  return Timetable({.policy = policy, .epoch = Seconds(3)}, Seconds(begin));
}

double next(const Timetable& timetable, std::optional<double> news = {}) {
  return timetable.next(news ? std::optional(Seconds(*news)) : std::nullopt).count();
}

void passAt(Timetable& timetable, double begun, double took = 0) {
  timetable.pass(Seconds(begun), Seconds(begun + took));
}

TEST(Timetable, HasAnEpochInEachPeriodHoweverLongOneTook) {
  auto timetable = timetableOf(findPolicy("LookAhead"), 100);
  EXPECT_DOUBLE_EQ(next(timetable), 100);
  passAt(timetable, 100, 0.5);
  EXPECT_DOUBLE_EQ(next(timetable), 103);
  passAt(timetable, 103, 2.9);
  EXPECT_DOUBLE_EQ(next(timetable), 106);
}

TEST(Timetable, BeginsAnewAfterAnEpochThatTookLongerThanThePeriod) {
  auto timetable = timetableOf(findPolicy("LookAhead"));
  passAt(timetable, 0, 7);
  EXPECT_DOUBLE_EQ(next(timetable), 7);
  passAt(timetable, 7, 0.1);
  EXPECT_DOUBLE_EQ(next(timetable), 10);
}

TEST(Timetable, DecidesAMomentAfterNewsCame) {
  auto timetable = timetableOf(findPolicy("LookAhead"));
  passAt(timetable, 0);
  EXPECT_DOUBLE_EQ(next(timetable, 1.5), 1.6);
  passAt(timetable, 1.6);
  EXPECT_DOUBLE_EQ(next(timetable), 3);  // the regular ones stay where they were
}

TEST(Timetable, KeepsItsDistanceFromTheEpochBefore) {
  auto timetable = timetableOf(findPolicy("LookAhead"));
  passAt(timetable, 0, 0.2);
  EXPECT_DOUBLE_EQ(next(timetable, 0.3), 1.2);
  passAt(timetable, 1.2);
  EXPECT_DOUBLE_EQ(next(timetable, 1.3), 2.2);
  passAt(timetable, 2.2);
  EXPECT_DOUBLE_EQ(next(timetable, 2.3), 3);
}

TEST(Timetable, HasTheRegularEpochAlsoWhereAnEarlyOneCrossesIt) {
  auto timetable = timetableOf(findPolicy("LookAhead"));
  passAt(timetable, 0);
  passAt(timetable, 2.2, 0.9);
  EXPECT_DOUBLE_EQ(next(timetable), 3.1);
}

TEST(Timetable, LetsNoNewsPutOffTheRegularEpoch) {
  auto timetable = timetableOf(findPolicy("LookAhead"));
  passAt(timetable, 0);
  EXPECT_DOUBLE_EQ(next(timetable, 2.95), 3);
  EXPECT_DOUBLE_EQ(next(timetable, 20), 3);
}

TEST(Timetable, LetsPublishedPoliciesWaitForTheRegularEpoch) {
  for (const Policy* const policy : {findPolicy("TotalQuality"), findPolicy("Fair")}) {
    auto timetable = timetableOf(policy);
    passAt(timetable, 0);
    EXPECT_DOUBLE_EQ(next(timetable, 1.5), 3);
  }
}

TEST(Timetable, PassesOverTimeWithoutJobs) {
  auto timetable = timetableOf(findPolicy("Fair"));
  passAt(timetable, 0);
  timetable.passOver(Seconds(1'000'000));
  EXPECT_DOUBLE_EQ(next(timetable), 1'000'002);
  timetable.passOver(Seconds(5));
  EXPECT_DOUBLE_EQ(next(timetable), 1'000'002);
}

}  // namespace
}  // namespace slaq
