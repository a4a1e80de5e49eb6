#include "kube/client/write_limiter.h"

#include <gtest/gtest.h>

namespace slaq::kube::client {
namespace {

// Sends as many writes as the limiter lets through within a time.
class WriteLimiterTest : public ::testing::Test {
 protected:
  int sendFor(Seconds time, bool isRefused = false) {
    int count = 0;
    const Seconds end = now + time;
    while (now < end) {
      now += limiter.take(now) + Seconds(0.002);  // the answer's
      if (isRefused) limiter.refused(now);
      ++count;
    }
    return count;
  }

  Seconds now{1000};
  WriteLimiter limiter;
};

TEST_F(WriteLimiterTest, LetsAllThroughAsLongAsNoneIsRefused) {
  for (int n = 0; n < 100; ++n) EXPECT_EQ(limiter.take(now), Seconds(0));
  EXPECT_NEAR(sendFor(Seconds(2)), 1000, 2);
}

TEST_F(WriteLimiterTest, HalvesWhatWasReallySentWhenTheServerRefuses) {
  sendFor(Seconds(2));  // 500 a second, far below what is allowed
  limiter.refused(now);
  EXPECT_NEAR(limiter.perSecond(), 250, 15);
  limiter.refused(now);  // one of those that were on their way
  EXPECT_NEAR(limiter.perSecond(), 250, 15);
}

TEST_F(WriteLimiterTest, IsNotTheOneWhoIsTooManyWhereItSendsFew) {
  for (int n = 0; n < 5; ++n) limiter.take(now);
  limiter.refused(now);
  EXPECT_EQ(limiter.perSecond(), WriteLimiter::kMostPerSecond);
}

TEST_F(WriteLimiterTest, NeverStopsAltogether) {
  sendFor(Seconds(60), true);
  EXPECT_GE(limiter.perSecond(), WriteLimiter::kLeastPerSecond);
  EXPECT_LT(limiter.perSecond(), 3 * WriteLimiter::kLeastPerSecond);
}

TEST_F(WriteLimiterTest, RecoversWithTimeThoughLittleIsSent) {
  sendFor(Seconds(60), true);
  now += Seconds(100);
  limiter.take(now);
  EXPECT_EQ(limiter.perSecond(), WriteLimiter::kMostPerSecond);
}

}  // namespace
}  // namespace slaq::kube::client
