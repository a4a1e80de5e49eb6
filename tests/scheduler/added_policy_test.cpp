// A policy that only this test knows: all that has to be written for one, without a change anywhere else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/allocation/greedy.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;

// Gives all that is left to the job with the highest level, and so on.
class WorstTakesAll : public Policy {
 public:
  std::string_view name() const override { return "WorstTakesAll"; }

  Division divide(const AllocationProblem& problem) const override {
    return {.allocation = giveUnitByUnit(
                problem.demands, problem.budget,
                [](const Demand& demand, std::int32_t) { return demand.level(demand.min, 0); })};
  }

  std::string explain(const ExplainedJob& job) const override {
    return "its level is " + toDecimal(job.problem.demands[job.place].level(1, 0), 2);
  }
};

TEST(AddedPolicy, DividesAndExplains) {
  const WorstTakesAll policy;
  World world(Cores(10000));
  world.settings.policy = &policy;
  run(world.add(viewOf("converged")), 5);
  run(world.add(viewOf("learns")), 5);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("converged", 5, 1)));
  EXPECT_EQ(plan.jobs[1].target, Workers(9));
  EXPECT_THAT(sentenceOf(plan.jobs[1]),
              ::testing::MatchesRegex("5 -> 9: its level is 0.[0-9]+; converged gives them; waits for 4 .*"));
}

}  // namespace
}  // namespace slaq::scheduler
