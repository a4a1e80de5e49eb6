#include "simulate/input/scaling.h"

#include <gtest/gtest.h>

namespace slaq::simulate {
namespace {

TEST(Scaling, HasTheSpeedOfEachRow) {
  const auto scaling = readScaling("s.csv", "workers,secondsPerIteration\n2,10\n4,8\r\n16,20\n");
  ASSERT_TRUE(scaling) << scaling.error().message;
  EXPECT_EQ(scaling->most(), Workers(16));
  const auto curve = forecast::SpeedCurve::through(scaling->speeds);
  EXPECT_DOUBLE_EQ(curve.at(2), 0.1);
  EXPECT_DOUBLE_EQ(curve.at(3), (0.1 + 0.125) / 2);
  EXPECT_DOUBLE_EQ(curve.at(16), 0.05);
}

std::string mistakeIn(const std::string& rows) {
  const auto scaling = readScaling("s.csv", rows);
  return scaling ? "" : scaling.error().message;
}

TEST(Scaling, RefusesWhatIsNoTable) {
  EXPECT_EQ(mistakeIn("workers,seconds\n1,2\n"),
            "s.csv:1: the first line must be workers,secondsPerIteration");
  EXPECT_EQ(mistakeIn("workers,secondsPerIteration\n"), "s.csv: has no line with workers");
  EXPECT_EQ(mistakeIn("workers,secondsPerIteration\n1,a\n"),
            "s.csv:2: must be workers and the seconds of an iteration, as in 4,12.5");
  EXPECT_EQ(mistakeIn("workers,secondsPerIteration\n2,1\n2,1\n"),
            "s.csv:3: the workers must be more than in the line before, from 1 to 1000000");
  EXPECT_EQ(mistakeIn("workers,secondsPerIteration\n0,1\n"),
            "s.csv:2: the workers must be more than in the line before, from 1 to 1000000");
  for (const char* seconds : {"0", "-1", "nan", "inf", "1e10"}) {
    EXPECT_EQ(mistakeIn(std::string("workers,secondsPerIteration\n1,") + seconds + "\n"),
              "s.csv:2: the seconds of an iteration must be from 0.000001 to 1000000000");
  }
}

}  // namespace
}  // namespace slaq::simulate
