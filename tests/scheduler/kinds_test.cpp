// Jobs that are not scheduled by their loss (section 4.3, "Mixing ML with other types of jobs").
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::starts;
using slaq::testing::suspends;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

JobView jobOf(const char* name, Scheduling scheduling, int min = 1, int max = 16) {
  auto view = viewOf(name, min, max);
  view.job.spec.scheduling = scheduling;
  return view;
}

TEST(ReservedJob, HoldsAllThatItCanUse) {
  World world(Cores(10000));
  world.add(jobOf("reserved", Scheduling::Reserved, 1, 6));
  world.add(viewOf("other"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("other", 4), starts("reserved", 6)));
  EXPECT_EQ(plan.jobs[0].phase, Phase::Fair);
  EXPECT_THAT(sentenceOf(plan.jobs[0]), HasSubstr("starts with 6: reserved, all that it can use"));
}

TEST(ReservedJob, WaitsUntilAllOfItFits) {
  World world(Cores(10000));
  run(world.add(viewOf("runs", 5)), 10);
  world.add(jobOf("reserved", Scheduling::Reserved, 1, 6));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, IsEmpty());
  EXPECT_EQ(plan.jobs[1].state, JobState::Waiting);
  EXPECT_THAT(sentenceOf(plan.jobs[1]), HasSubstr("waits for 6 cores for its minimum; 5 are left"));
}

TEST(ReservedJob, TakesItsCoresFromJobsByQuality) {
  World world(Cores(10000));
  run(world.add(viewOf("runs")), 10);
  world.learned(0, 0.001);
  world.add(jobOf("reserved", Scheduling::Reserved, 1, 6));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("runs", 10, 4)));
}

TEST(ReservedJob, IsNotHeldBecauseItsLossIsUnknown) {
  World world(Cores(10000));
  world.lossSourceDown = true;
  run(world.add(jobOf("reserved", Scheduling::Reserved, 1, 6)), 4);
  world.learned(0, 0.001);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("reserved", 4, 6)));
}

TEST(ReservedJob, WaitsRatherThanShrinks) {
  World world(Cores(5000));
  run(world.add(jobOf("reserved", Scheduling::Reserved, 1, 6)), 6);
  EXPECT_THAT(world.decide().actions, ElementsAre(suspends("reserved")));
}

TEST(FairJob, GetsItsWeightsShareWhateverItsLoss) {
  World world(Cores(12000));
  run(world.add(jobOf("fair", Scheduling::Fair)), 6);
  run(world.add(viewOf("learns")), 4);
  run(world.add(viewOf("converged")), 2);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  world.learned(2, 1.0);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(4));
  EXPECT_EQ(sentenceOf(plan.jobs[0]), "6 -> 4: its fair share; learns gets them");
  EXPECT_EQ(plan.jobs[1].target, Workers(7));
  EXPECT_EQ(plan.jobs[2].target, Workers(1));
}

TEST(FairJob, GetsMoreForAHigherWeight) {
  World world(Cores(12000));
  world.add(jobOf("heavy", Scheduling::Fair)).job.spec.weight = 2;
  world.add(jobOf("light", Scheduling::Fair));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("heavy", 8), starts("light", 4)));
}

TEST(FairJob, IsNotHeldBecauseItsLossIsUnknown) {
  World world(Cores(12000));
  world.lossSourceDown = true;
  run(world.add(jobOf("fair", Scheduling::Fair)), 6);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("fair", 6, 12)));
}

TEST(PinnedJob, KeepsItsNumberWhateverItsKind) {
  for (const auto kind : {Scheduling::Quality, Scheduling::Fair, Scheduling::Reserved}) {
    World world(Cores(12000));
    run(world.add(jobOf("a", kind)), 6).job.spec.replicas = Workers(3);
    EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 6, 3)));
  }
}

}  // namespace
}  // namespace slaq::scheduler
