#include "forecast/speed/measured_sizes.h"

#include <gtest/gtest.h>

namespace slaq::forecast {
namespace {

TEST(MeasuredSizes, HaveAMeanForEachSize) {
  MeasuredSizes sizes;
  EXPECT_TRUE(sizes.empty());
  sizes.add(8, 10, 5, 5);
  sizes.add(4, 30, 10, 10);
  sizes.add(4, 10, 10, 10);
  ASSERT_EQ(sizes.sizes().size(), 2u);
  EXPECT_EQ(sizes.sizes()[0].size, 4);
  EXPECT_DOUBLE_EQ(sizes.sizes()[0].seconds, 2);
  EXPECT_DOUBLE_EQ(sizes.sizes()[1].seconds, 2);
  EXPECT_EQ(sizes.largest(), 8);
}

TEST(MeasuredSizes, FollowWhatIsNew) {
  MeasuredSizes sizes;
  for (int i = 0; i < 100; ++i) sizes.add(4, 1, 1, 1);
  for (int i = 0; i < 100; ++i) sizes.add(4, 2, 1, 1);
  EXPECT_NEAR(sizes.sizes()[0].seconds, 2, 0.1);
}

TEST(MeasuredSizes, WeighWhatIsLongAgoLess) {
  MeasuredSizes sizes;
  sizes.add(2, 1, 1, 10);
  sizes.add(4, 1, 1, 10);
  sizes.add(8, 1, 1, 10);
  EXPECT_LT(sizes.sizes()[0].weight, sizes.sizes()[1].weight);
  EXPECT_LT(sizes.sizes()[1].weight, sizes.sizes()[2].weight);
  EXPECT_DOUBLE_EQ(sizes.sizes()[0].seconds, 1);  // it is not forgotten
}

TEST(MeasuredSizes, ForgetTheOldestOfManySizes) {
  MeasuredSizes sizes;
  for (int size = 1; size <= 100; ++size) sizes.add(size, 1, 1, 1);
  EXPECT_LE(sizes.sizes().size(), 24u);
  EXPECT_EQ(sizes.largest(), 100);
}

}  // namespace
}  // namespace slaq::forecast
