#include "simulate/simulation.h"

#include <gmock/gmock.h>

#include "support/workloads.h"

namespace slaq {
namespace {

using testing::workloadOf;

TEST(Simulation, OneJobAloneHasAllCoresFromTheStart) {
  // 10 iterations of 8 core-seconds on 4 cores: one every 2 s.
  const auto outcome = simulate(workloadOf(4, {{.name = "a", .losses = testing::linearFall(10), .cost = 8}}),
                                {.settings = testing::published(PolicyName::Fair)});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_NEAR(outcome->completionSeconds.mean, 20, 1e-6);
  EXPECT_NEAR(outcome->makespanSeconds, 20, 1e-6);
  EXPECT_NEAR(outcome->secondsToReduction[1].mean, 10, 1e-6);  // 50%
  // 1, 0.9, ..., 0.1, each for 2 s.
  EXPECT_NEAR(outcome->meanLossIntegralSeconds, 11, 1e-6);
  EXPECT_EQ(outcome->resizes, 0);
}

TEST(Simulation, JobsThatArriveBetweenEpochsStartAtTheNext) {
  const auto outcome = simulate(
      workloadOf(4, {{.name = "a", .losses = testing::linearFall(10), .cost = 8, .arrival = Seconds(4)}}),
      {.settings = testing::published(PolicyName::Fair)});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_NEAR(outcome->makespanSeconds, 26, 1e-6);
  EXPECT_NEAR(outcome->completionSeconds.mean, 22, 1e-6);
}

}  // namespace
}  // namespace slaq
