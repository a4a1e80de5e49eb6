#include "scheduler/lifecycle/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Two iterations a second with all 4 of its workers, and nothing that others need.
class Trial : public ::testing::Test {
 protected:
  Trial() {
    run(world_.add(viewOf("a", 1, 4)), 4);
    world_.learned(0, 0.1);
    history().pods.known = history().losses.begun = at(-300);
  }

  JobHistory& history() { return world_.historyOf(0); }

  World world_{Cores(8000)};
};

TEST_F(Trial, TellsHowFastAJobIsWithFewerWorkers) {
  const auto plan = world_.decide();
  EXPECT_EQ(plan.jobs[0].phase, Phase::Trial);
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 4, 3)));
  EXPECT_THAT(sentenceOf(plan.jobs[0]), HasSubstr("4 -> 3: tries how fast it is with 3 workers"));
}

TEST_F(Trial, LastsUntilItWasMeasured) {
  run(world_.viewAt(0), 3);
  history().resizes.shrank = at(97);
  EXPECT_EQ(world_.decide().jobs[0].phase, Phase::Trial);
  EXPECT_THAT(world_.decide().actions, IsEmpty());
  history().resizes.shrank = at(50);
  EXPECT_EQ(world_.decide().jobs[0].phase, Phase::Quality);
}

TEST_F(Trial, IsMadeOnlyByAJobThatRanForTwentyTimesAsLong) {
  history().losses.begun = at(0);
  EXPECT_EQ(world_.decide().jobs[0].phase, Phase::Quality);
}

// It gave half of them to a job that is over now.
TEST_F(Trial, IsNotMadeByAJobThatIsFasterWithMore) {
  world_.viewAt(0).job.spec.workers.max = Workers(8);
  const auto plan = world_.decide();
  EXPECT_NE(plan.jobs[0].phase, Phase::Trial);
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 4, 8)));
}

TEST_F(Trial, IsNotNeededWhereOthersOfItsKindMadeIt) {
  Peers peers;
  history().kind = "resnet";
  peers.speeds.update("resnet", std::vector<forecast::TimedSize>{{2, 1, 5}, {4, 0.5, 5}}, 1);
  expect(history(), world_.specOf(0), *forecast::makePredictor("Ensemble", forecast::defaultConstants()),
         peers);
  EXPECT_EQ(world_.decide().jobs[0].phase, Phase::Quality);
}

TEST_F(Trial, TriesASizeThatIsAllowed) {
  world_.viewAt(0).job.spec.workers.sizes = {Workers(1), Workers(2), Workers(4)};
  EXPECT_THAT(world_.decide().actions, ElementsAre(scales("a", 4, 2)));
  world_.viewAt(0).job.spec.workers.sizes = {Workers(4)};
  world_.viewAt(0).job.spec.workers.min = Workers(4);
  EXPECT_THAT(world_.decide().actions, IsEmpty());
}

TEST_F(Trial, IsNoPartOfThePublishedPolicies) {
  world_.settings.policy = findPolicy("TotalQuality");
  EXPECT_EQ(world_.decide().jobs[0].phase, Phase::Quality);
}

}  // namespace
}  // namespace slaq::scheduler
