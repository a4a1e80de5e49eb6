#include "scheduler/runtime/sample_times.h"

#include <gtest/gtest.h>

namespace slaq::scheduler {
namespace {

TEST(SampleTimes, AreUnknownBeforeTwoSpacingsWereSeen) {
  SampleTimes times;
  times.add(Seconds(30));
  EXPECT_FALSE(times.oldest());
  times.add(Seconds(30));
  EXPECT_EQ(times.oldest(), Seconds(90)) << "two scrapes in a row may fail";
}

TEST(SampleTimes, CountTheDelayOfTheSource) {
  SampleTimes times;
  for (int i = 0; i < 3; ++i) times.add(Seconds(1));
  times.addDelay(Seconds(30));
  EXPECT_EQ(times.oldest(), Seconds(33));
  times.addDelay(Seconds(32));
  times.addDelay(Seconds(31));
  times.addDelay(Seconds(300));  // one late answer changes nothing
  EXPECT_LT(*times.oldest(), Seconds(36));
}

}  // namespace
}  // namespace slaq::scheduler
