#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <random>

#include "schedule/plan.h"
#include "schedule/sequence.h"
#include "support/jobs.h"

namespace slaq {
namespace {

using slaq::testing::run;
using slaq::testing::viewOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Time at(double seconds) { return Time(Seconds(seconds)); }

// A world of jobs at second 100, with what was learned of each.
class World {
 public:
  explicit World(Cores capacity) { settings.capacity = capacity; }

  JobView& add(JobView view) {
    views_.push_back(std::make_unique<JobView>(std::move(view)));
    histories_.push_back(std::make_unique<JobHistory>());
    histories_.back()->caughtUp = true;
    return *views_.back();
  }
  JobHistory& historyOf(std::size_t i) { return *histories_[i]; }

  // The job exports a loss that falls from 1 like exp(-rate k), two iterations a second, for 20 s till now.
  void learned(std::size_t i, double rate) {
    auto& history = *histories_[i];
    observe(history, *views_[i], at(79));
    for (int s = 0; s <= 20; ++s) {
      learn(history, at(80 + s), Iterations(2 * s), Loss(std::exp(-rate * 2 * s)), {}, 0);
    }
    refit(history, Convergence::Superlinear);
  }

  Plan decide() {
    Snapshot snapshot{.now = at(100), .lossSourceDown = lossSourceDown, .jobs = {}};
    for (std::size_t i = 0; i < views_.size(); ++i) {
      snapshot.jobs.push_back({views_[i].get(), histories_[i].get()});
    }
    return slaq::decide(snapshot, settings);
  }

  Settings settings;
  bool lossSourceDown = false;

 private:
  std::vector<std::unique_ptr<JobView>> views_;
  std::vector<std::unique_ptr<JobHistory>> histories_;
};

Action starts(const char* job, int workers) { return StartJob{{"default", job}, Workers(workers)}; }
Action scales(const char* job, int from, int to) {
  return ScaleWorkers{{"default", job}, Workers(from), Workers(to)};
}
Action suspends(const char* job) { return SuspendJob{{"default", job}}; }
Action finishes(const char* job) { return FinishJob{{"default", job}}; }

TEST(Decide, StartsANewJobWithItsFairShare) {
  World world(Cores(8000));
  world.add(viewOf("a"));
  world.add(viewOf("b"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("a", 4), starts("b", 4)));
  EXPECT_EQ(plan.jobs[0].standing, Standing::Learning);
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("fair share of 4 workers"));
}

TEST(Decide, CountsTheDriver) {
  World world(Cores(8000));
  world.add(viewOf("a")).job.spec.driver = slaq::testing::podOf(Cores(500));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("a", 7)));
}

TEST(Decide, LeavesAnUnchangedWorldAlone) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, TakesCoresFromAConvergedJobForANewOneFirstAndStartsItWhenTheyAreFree) {
  World world(Cores(8000));
  auto& converged = run(world.add(viewOf("a")), 8);
  world.learned(0, 1.0);
  world.add(viewOf("b"));
  auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 8, 4)));
  EXPECT_THAT(plan.jobs[1].reason, HasSubstr("cores that others are giving back"));

  converged.workers.desired = converged.workers.active = converged.workers.ready = Workers(4);
  converged.workers.terminating = Workers(2);
  world.historyOf(0).resizingSince = at(99);
  plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("b", 2)));
}

TEST(Decide, MovesCoresToTheJobThatStillLearns) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);    // converged
  world.learned(1, 0.001);  // far from it
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 4, 1)));
  EXPECT_EQ(plan.jobs[1].target, Workers(7));
  EXPECT_THAT(plan.jobs[1].reason, HasSubstr("waits for 3 cores"));
}

TEST(Decide, UnderFairDoesNotLookAtTheLoss) {
  World world(Cores(8000));
  world.settings.policy = PolicyName::Fair;
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, MakesNoNewDecisionForAJobThatIsStillResizing) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  world.historyOf(0).resizingSince = at(95);
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, IsEmpty());
  EXPECT_EQ(plan.jobs[0].standing, Standing::Resizing);
  world.historyOf(0).resizingSince = at(60);  // it hangs: not for ever
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 4, 1)));
}

TEST(Decide, HoldsWhatJobsHaveWhenTheLossSourceIsDown) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  world.lossSourceDown = true;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, IsEmpty());
  EXPECT_EQ(plan.jobs[0].standing, Standing::Held);
}

TEST(Decide, HoldsAfterARestartUntilHistoryAndSpeedAreBack) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 7);
  run(world.add(viewOf("b")), 1);
  world.historyOf(0).caughtUp = world.historyOf(1).caughtUp = false;
  EXPECT_THAT(world.decide().actions, IsEmpty());
  for (const int i : {0, 1}) {
    // The history is back, but the running time of this size was not measured yet.
    auto& history = world.historyOf(static_cast<std::size_t>(i));
    for (int s = 0; s <= 20; ++s) learn(history, at(80 + s), Iterations(s), Loss(1.0 / (1 + s)), {}, 0);
    refit(history, Convergence::Auto);
    history.caughtUp = true;
  }
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, GivesAJobWithoutALossItsFairShare) {
  World world(Cores(8000));
  run(world.add(viewOf("silent")), 8);
  run(world.add(viewOf("b")), 0).workers.exists = false;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("silent", 8, 4)));
}

TEST(Decide, LetsThoseWaitWhoseMinimumDoesNotFitAndNobodyOvertakes) {
  World world(Cores(8000));
  run(world.add(viewOf("runs", 2)), 2);
  auto& big = world.add(viewOf("big", 7));
  big.job.created = at(1);
  world.add(viewOf("small", 1)).job.created = at(2);
  auto& heavy = world.add(viewOf("heavy", 3));
  heavy.job.created = at(3);
  heavy.job.spec.weight = 10;
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[1].state, JobState::Waiting);
  EXPECT_EQ(plan.jobs[2].state, JobState::Waiting);
  EXPECT_THAT(plan.jobs[2].reason, HasSubstr("behind default/big"));
  EXPECT_EQ(plan.jobs[3].standing, Standing::Learning);
}

TEST(Decide, IsNotBlockedByAJobThatCanNeverFit) {
  World world(Cores(8000));
  auto& giant = world.add(viewOf("giant", 9));
  giant.job.created = at(1);
  world.add(viewOf("small")).job.created = at(2);
  const auto plan = world.decide();
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("more than the capacity of 8"));
  EXPECT_THAT(plan.actions, ElementsAre(starts("small", 8)));
}

TEST(Decide, EndsWhatIsOver) {
  World world(Cores(8000));
  auto& complete = run(world.add(viewOf("complete")), 2);
  complete.job.spec.driver = slaq::testing::podOf(Cores(100));
  complete.driver.exists = complete.driver.succeeded = true;
  auto& failed = run(world.add(viewOf("failed")), 2);
  failed.driver.exists = true;
  failed.driver.failures = 4;
  auto& suspended = run(world.add(viewOf("suspended")), 2);
  suspended.job.spec.suspend = true;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(finishes("complete"), suspends("failed"), suspends("suspended")));
  EXPECT_EQ(plan.jobs[0].state, JobState::Complete);
  EXPECT_EQ(plan.jobs[1].state, JobState::Failed);
  EXPECT_THAT(plan.jobs[1].reason, HasSubstr("backoffLimit is 3"));
  EXPECT_EQ(plan.jobs[2].state, JobState::Suspended);
}

TEST(Decide, CountsNoCoresForWorkersThatEndedByThemselves) {
  World world(Cores(8000));
  auto& complete = run(world.add(viewOf("complete")), 8);
  complete.status.state = JobState::Complete;
  complete.workers.succeeded = true;
  complete.workers.active = complete.workers.ready = Workers(0);
  world.add(viewOf("next"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("next", 8)));
}

TEST(Decide, ForgivesFailuresBeforeANewIteration) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a")), 8);
  job.driver.exists = true;
  job.driver.failures = 4;
  world.historyOf(0).forgivenFailures = 3;
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, DoesNotLetARefusedJobHarmTheOthers) {
  World world(Cores(8000));
  world.add(viewOf("bad")).refusal = "quota exceeded";
  world.add(viewOf("worse", 5, 2));
  world.add(viewOf("good"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("good", 8)));
  EXPECT_EQ(plan.jobs[0].reason, "quota exceeded");
  EXPECT_THAT(plan.jobs[1].reason, HasSubstr("spec.workers.maxReplicas"));
}

TEST(Decide, KeepsAPinnedJobAtItsNumber) {
  World world(Cores(8000));
  auto& pinned = run(world.add(viewOf("a")), 2);
  pinned.job.spec.workers.pinned = Workers(5);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 2, 5)));
}

// Random worlds: targets within bounds and capacity, actions only where something differs, and the order in
// which jobs are given does not matter.
TEST(Decide, KeepsItsInvariants) {
  std::mt19937_64 random(5);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int round = 0; round < 500; ++round) {
    World world(Cores(1000 * draw(1, 40)));
    for (int j = 0; j < 8; ++j) {
      auto view = viewOf(std::string(1, static_cast<char>('a' + j)), draw(1, 3), draw(3, 12),
                         Cores(500 * draw(1, 4)));
      view.job.spec.weight = draw(1, 5);
      view.job.spec.driver = slaq::testing::podOf(Cores(100));
      if (draw(0, 1)) run(view, draw(view.job.spec.workers.min.value(), view.job.spec.workers.max.value()));
      world.add(view);
      if (view.workers.exists && draw(0, 2) > 0)
        world.learned(static_cast<std::size_t>(j), 0.001 * draw(0, 1000));
    }
    const auto plan = world.decide();
    Cores used;
    for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
      const auto& job = plan.jobs[j];
      if (job.state == JobState::Waiting) continue;
      ASSERT_GE(job.target, Workers(1)) << round;
      ASSERT_LE(job.target, Workers(12));
      ASSERT_TRUE(std::isfinite(job.gainPerCore));
      used += Cores(100);
    }
    for (const auto& action : plan.actions) {
      if (const auto* scale = std::get_if<ScaleWorkers>(&action)) {
        ASSERT_NE(scale->from, scale->to);
      }
    }
    ASSERT_LE(used, world.settings.capacity);
  }
}

}  // namespace
}  // namespace slaq
