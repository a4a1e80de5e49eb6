#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/allocation/fair_share.h"
#include "scheduler/demands.h"

namespace slaq::scheduler {
namespace {

using ::testing::ElementsAre;

// A job of which no reduction is expected, with that many units of a core.
Demand converged(int held, double growPause = 0, int max = 8) {
  Demand demand = learner(0, 1, 1, max);
  demand.held = held;
  demand.growPause = growPause;
  return demand;
}

Allocation used(const std::vector<Demand>& demands, Cores cores, const Allocation& allocation,
                const IdleCoresRule& rule = {.horizon = 30}) {
  return withIdleCores(demands, cores, allocation, rule);
}

TEST(IdleCores, GoToAJobOfWhichNoReductionIsExpected) {
  EXPECT_THAT(used({converged(1, 5)}, Cores(8000), {1}), ElementsAre(8));
}

TEST(IdleCores, AreDividedFairly) {
  EXPECT_THAT(used({converged(1, 1), converged(1, 1)}, Cores(8000), {1, 1}), ElementsAre(4, 4));
}

TEST(IdleCores, StayIdleWhereNobodyIsFasterWithThem) {
  Demand demand = converged(2, 1);
  demand.speed = forecast::SpeedCurve().levelFrom(2);
  EXPECT_THAT(used({demand}, Cores(8000), {2}), ElementsAre(2));
}

// 8 units for 30 s less the pauses are 80 iterations; so are not, with longer pauses, 60 of two units.
TEST(IdleCores, StayIdleWhereAChangeCostsMoreThanTheyBring) {
  EXPECT_THAT(used({converged(2, 20)}, Cores(8000), {2}), ElementsAre(8));
  EXPECT_THAT(used({converged(2, 23)}, Cores(8000), {2}), ElementsAre(2));
  Demand both = converged(2, 20);
  both.shrinkPause = 3;  // when somebody wants them back
  EXPECT_THAT(used({both}, Cores(8000), {2}), ElementsAre(2));
  Demand loses = converged(2, 20);
  loses.lost = 3;
  EXPECT_THAT(used({loses}, Cores(8000), {2}), ElementsAre(2));
}

TEST(IdleCores, GoToTheOthersWhereItDoesNotPayForOne) {
  EXPECT_THAT(used({converged(4, 29), converged(1, 1)}, Cores(8000), {4, 1}), ElementsAre(4, 4));
}

// And more, where that is worth its pauses.
TEST(IdleCores, AreLeftToWhomTheAllocationTakesThemFrom) {
  EXPECT_THAT(used({converged(4, 29)}, Cores(8000), {1}), ElementsAre(4));
  EXPECT_THAT(used({converged(4, 5)}, Cores(8000), {1}), ElementsAre(8));
}

TEST(IdleCores, AreTakenByAJobThatStartsWhateverItsPauses) {
  EXPECT_THAT(used({converged(0, 29)}, Cores(8000), {1}), ElementsAre(8));
}

// Its start would last longer than the cores are expected to stay idle. A larger part brings its end sooner.
TEST(IdleCores, GoToAProgramThatStarts) {
  Demand demand = converged(1);
  demand.inPlace = true;
  demand.startWork = 300;
  EXPECT_THAT(used({demand}, Cores(8000), {1}), ElementsAre(8));
}

TEST(IdleCores, GoOnlyToSizesThatAreAllowed) {
  const std::vector<Workers> sizes = {Workers(1), Workers(4), Workers(16)};
  Demand demand = converged(1, 1, 16);
  demand.allowed = sizes;
  EXPECT_THAT(used({demand}, Cores(8000), {1}), ElementsAre(4));
  demand.held = 3;  // of before an edit
  EXPECT_THAT(used({demand}, Cores(8000), {1}), ElementsAre(4));
}

TEST(IdleCores, AreWorthAChangeInPlaceOfSomeSize) {
  Demand demand = converged(20, 0, 22);
  demand.inPlace = true;
  EXPECT_THAT(used({demand}, Cores(30000), {20}, {.horizon = 30, .leastChangeInPlace = 0.11}),
              ElementsAre(20));
  EXPECT_THAT(used({demand}, Cores(30000), {20}, {.horizon = 30, .leastGain = 0.11}), ElementsAre(20));
  EXPECT_THAT(
      used({demand}, Cores(30000), {20}, {.horizon = 30, .leastGain = 0.05, .leastChangeInPlace = 0.1}),
      ElementsAre(22));
}

}  // namespace
}  // namespace slaq::scheduler
