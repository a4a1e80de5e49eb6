#include "page/steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::page {
namespace {

using ::testing::ElementsAre;

using Step = Steps::Change;

TEST(Steps, KeepChangesAlone) {
  Steps steps;
  for (const auto& [epoch, value] : {std::pair{1, 4}, {2, 4}, {3, 8}, {4, 8}, {7, 4}})
    steps.set(epoch, value);
  EXPECT_THAT(steps.changes(), ElementsAre(Step{1, 4}, Step{3, 8}, Step{7, 4}));
}

TEST(Steps, BeginWithTheFirstKnownValue) {
  Steps steps;
  steps.set(0, std::nullopt);
  steps.set(5, 1);
  steps.set(6, std::nullopt);
  EXPECT_THAT(steps.changes(), ElementsAre(Step{5, 1}, Step{6, std::nullopt}));
}

TEST(Steps, TakeTheLastValueOfAnEpoch) {
  Steps steps;
  steps.set(2, 1);
  steps.set(3, 5);
  steps.set(3, 1);
  EXPECT_THAT(steps.changes(), ElementsAre(Step{2, 1}));
}

// Epochs 0, 2, 4 and 6 stay, as 0 to 3.
constexpr std::size_t kEverySecond[] = {0, 1, 1, 2, 2, 3, 3};

TEST(Steps, OfTheEpochsThatStayHaveTheValuesThatTheseHad) {
  Steps steps;
  for (const auto& [epoch, value] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 3}, {6, 9}})
    steps.set(epoch, value);
  steps.renumber(kEverySecond);
  // At 0: 1, at 2: 3, at 4: 4, at 6: 9.
  EXPECT_THAT(steps.changes(), ElementsAre(Step{0, 1}, Step{1, 3}, Step{2, 4}, Step{3, 9}));
}

TEST(Steps, ForgetWhatWasOnlyBetweenTheEpochsThatStay) {
  Steps steps;
  steps.set(0, 1);
  steps.set(1, 7);
  steps.set(2, 1);
  steps.renumber(kEverySecond);
  EXPECT_THAT(steps.changes(), ElementsAre(Step{0, 1}));
}

}  // namespace
}  // namespace slaq::page
