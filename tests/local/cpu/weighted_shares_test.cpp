#include "local/cpu/weighted_shares.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::local::cpu {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Cores kMuch{100'000};

CpuWish wish(int request, Cores wanted = kMuch, Cores limit = kMuch) {
  return {{Cores(request), limit}, wanted};
}

TEST(WeightedShares, AreInProportionToTheRequests) {
  const CpuWish wishes[] = {wish(300), wish(100)};
  EXPECT_THAT(weightedShares(wishes, Cores(2000)), ElementsAre(Cores(1500), Cores(500)));
}

TEST(WeightedShares, GiveToOthersWhatOneDoesNotWantOrMayNotHave) {
  const CpuWish wishes[] = {wish(300, Cores(200)), wish(100), wish(100, kMuch, Cores(300))};
  EXPECT_THAT(weightedShares(wishes, Cores(2000)), ElementsAre(Cores(200), Cores(1500), Cores(300)));
}

TEST(WeightedShares, LeaveWhatNobodyWants) {
  const CpuWish wishes[] = {wish(300, Cores(200)), wish(100, Cores(100))};
  EXPECT_THAT(weightedShares(wishes, Cores(2000)), ElementsAre(Cores(200), Cores(100)));
}

TEST(WeightedShares, OfNobodyAreNone) { EXPECT_THAT(weightedShares({}, Cores(2000)), IsEmpty()); }

TEST(WeightedShares, GiveSomethingToWhoRequestsNothing) {
  const CpuWish wishes[] = {wish(0), wish(0)};
  EXPECT_THAT(weightedShares(wishes, Cores(2000)), ElementsAre(Cores(1000), Cores(1000)));
}

}  // namespace
}  // namespace slaq::local::cpu
