#include "base/figures.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

TEST(Figures, CountOneAndMany) {
  EXPECT_EQ(counted(Workers(1)), "1 worker");
  EXPECT_EQ(counted(Workers(0)), "0 workers");
  EXPECT_EQ(counted(3, "job"), "3 jobs");
  EXPECT_EQ(coresText(Cores(1000)), "1 core");
  EXPECT_EQ(coresText(Cores(1500)), "1500m cores");
  EXPECT_EQ(coresText(Cores(2000)), "2 cores");
}

TEST(Figures, OfMemoryAreInTheLargestUnitThatFits) {
  EXPECT_EQ(memoryText(Mebibytes(512)), "512 MiB");
  EXPECT_EQ(memoryText(Mebibytes(1024)), "1 GiB");
  EXPECT_EQ(memoryText(Mebibytes(1536)), "1.5 GiB");
  EXPECT_EQ(memoryText(Mebibytes(81559)), "79.6 GiB");
}

TEST(Figures, OfGainsAreRoundedAndHaveNoExponent) {
  EXPECT_EQ(gainText(0.00213), "0.0021");
  EXPECT_EQ(gainText(0.00213, 3), "0.00213");
  EXPECT_EQ(gainText(-0.5), "-0.5");
  EXPECT_EQ(gainText(2.7e-9), "0.0000000027");
  EXPECT_EQ(gainText(2.7e-15), "0");
  EXPECT_EQ(gainText(-1e-17), "0");
  EXPECT_EQ(gainText(0), "0");
}

}  // namespace
}  // namespace slaq
