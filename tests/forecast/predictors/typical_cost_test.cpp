#include "forecast/predictors/typical_cost.h"

#include <gtest/gtest.h>

#include <cmath>

namespace slaq::forecast {
namespace {

TEST(TypicalCost, IsTheGeometricMeanOfTheJobsCosts) {
  TypicalCost cost;
  EXPECT_FALSE(cost.mean());
  cost.update(1);
  cost.update(100);
  EXPECT_NEAR(cost.mean().value(), 10, 0.5);
  cost.update(0);
  cost.update(std::nan(""));
  EXPECT_NEAR(cost.mean().value(), 10, 0.5);
}

}  // namespace
}  // namespace slaq::forecast
