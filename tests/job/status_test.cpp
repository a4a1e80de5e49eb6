#include "job/status.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

Condition ready(Truth truth, const std::string& reason, double seconds) {
  return {ConditionType::Ready, truth, reason, "it is so", Time(Seconds(seconds))};
}

// As Kubernetes has it: the time of the last change of the status, not of its reason.
TEST(Conditions, KeepTheirTimeUntilTheirTruthChanges) {
  std::vector<Condition> conditions;
  set(conditions, ready(Truth::False, "Waiting", 10));
  set(conditions, ready(Truth::False, "Starting", 20));
  ASSERT_EQ(conditions.size(), 1u);
  EXPECT_EQ(conditions.front().reason, "Starting");
  EXPECT_EQ(conditions.front().lastTransition, Time(Seconds(10)));
  set(conditions, ready(Truth::True, "Running", 30));
  EXPECT_EQ(conditions.front().lastTransition, Time(Seconds(30)));
}

TEST(Conditions, AreSortedByType) {
  std::vector<Condition> conditions;
  set(conditions, {ConditionType::Stalled, Truth::False, "Resolved", "", Time()});
  set(conditions, ready(Truth::True, "Running", 1));
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_LT(conditions[0].type, conditions[1].type);
  EXPECT_EQ(find(conditions, ConditionType::Ready)->reason, "Running");
  EXPECT_EQ(find(conditions, ConditionType::Failed), nullptr);
}

}  // namespace
}  // namespace slaq
