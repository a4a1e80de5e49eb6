// Jobs wait where all share the memory of a GPU: which of them, in what order, and why.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::IsEmpty;

constexpr Mebibytes kGibibyte{1024};

class MemoryOfAGpu : public ::testing::Test {
 protected:
  void SetUp() override { world_.memory = SharedMemory{.total = kGibibyte * 80, .free = kGibibyte * 30}; }
  void add(const std::string& name, std::optional<int> gibibytes) {
    auto& view = world_.add(viewOf(name, 1));
    if (gibibytes) view.memoryNeed = kGibibyte * *gibibytes;
  }

  World world_{Cores(64'000)};
};

TEST_F(MemoryOfAGpu, IsNotGivenTwiceInOneDecision) {
  add("a", 20);
  add("b", 20);
  add("c", 5);
  const auto plan = world_.decide();
  ASSERT_EQ(plan.actions.size(), 1u);
  EXPECT_EQ(jobOf(plan.actions.front()).name, "a");
  EXPECT_EQ(plan.jobs[1].state, JobState::Waiting);
  EXPECT_EQ(plan.jobs[1].reason, "waits for 20 GiB of the GPU's memory; 10 GiB are left");
  EXPECT_EQ(plan.jobs[2].reason, "waits behind default/b") << "nobody overtakes";
}

TEST_F(MemoryOfAGpu, IsWaitedForByOneUnknownTrainingUntilAnotherIsMeasured) {
  add("a", {});
  add("b", {});
  EXPECT_EQ(world_.decide().jobs[1].reason,
            "waits until the GPU's memory that another training takes is known; --gpu-memory, or a limit of "
            "nvidia.com/gpumem, would say it before");
  world_.memory->measuring = true;
  add("c", 5);
  EXPECT_THAT(world_.decide().actions, IsEmpty());
}

TEST_F(MemoryOfAGpu, HoldsNobodyUpWhoNeedsMoreThanThereIs) {
  add("a", 90);
  add("b", 30);
  const auto plan = world_.decide();
  EXPECT_EQ(plan.jobs[0].reason, "needs 90 GiB of the GPU's memory, which is 80 GiB");
  ASSERT_EQ(plan.actions.size(), 1u);
  EXPECT_EQ(jobOf(plan.actions.front()).name, "b");
}

TEST_F(MemoryOfAGpu, IsNotTakenFromAJobThatRuns) {
  add("a", 20);
  world_.settle(world_.decide());
  world_.memory->free = Mebibytes(-1);
  EXPECT_NE(world_.decide().jobs[0].state, JobState::Waiting);
  world_.viewAt(0).memoryNeed = kGibibyte * 90;
  EXPECT_NE(world_.decide().jobs[0].state, JobState::Waiting) << "it took more than anybody knew";
}

TEST_F(MemoryOfAGpu, CountsOnlyWhereItIsShared) {
  world_.memory.reset();
  add("a", 90);
  add("b", {});
  EXPECT_EQ(world_.decide().actions.size(), 2u);
}

}  // namespace
}  // namespace slaq::scheduler
