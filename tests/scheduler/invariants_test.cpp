#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "scheduler/lifecycle/decision_context.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::podOf;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::IsEmpty;

// Random worlds of all kinds of jobs, under all policies, with and without limits.
class RandomWorld {
 public:
  explicit RandomWorld(unsigned seed) : random_(seed), world_(Cores(1000 * draw(1, 40))) {
    world_.settings.policy = clusterPolicies()[seed % clusterPolicies().size()];
    if (draw(0, 1)) world_.settings.limits["a"] = {.cores = Cores(1000 * draw(1, 15)), .weight = 3};
    if (draw(0, 1)) world_.settings.limits["*"] = {.cores = Cores(500 * draw(1, 30))};
    for (int j = 0; j < 8; ++j) add(j);
  }

  World& world() { return world_; }
  Cores inUse() const { return inUse_; }

  int draw(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  void add(int j) {
    auto view =
        viewOf(std::string(1, static_cast<char>('a' + j)), draw(1, 3), draw(3, 12), Cores(500 * draw(1, 4)));
    JobSpec& spec = view.job.spec;
    view.job.key.ns = std::array{"a", "b", "c"}[static_cast<std::size_t>(draw(0, 2))];
    spec.weight = draw(1, 5);
    spec.scheduling = std::array{Scheduling::Quality, Scheduling::Quality, Scheduling::Fair,
                                 Scheduling::Reserved}[static_cast<std::size_t>(draw(0, 3))];
    if (draw(0, 1)) spec.driver = podOf(Cores(100));
    if (draw(0, 6) == 0) spec.replicas = spec.workers.max;
    if (draw(0, 2) == 0) {
      spec.workers.scaling = Scaling::CPU;
      spec.workers.cpu = {Cores(50 * draw(1, 10)), coresOf(spec.workers.pod) + Cores(50 * draw(2, 40))};
    }
    if (spec.workers.scaling == Scaling::Replicas && !spec.replicas) drawSizes(spec.workers);
    if (draw(0, 1)) letRun(view);
    auto& added = world_.add(view);
    const auto index = static_cast<std::size_t>(j);
    if (added.workers.exists && draw(0, 2) > 0) world_.learned(index, 0.001 * draw(0, 1000));
    if (added.workers.exists && draw(0, 5) == 0) world_.historyOf(index).resizes.since = at(95);
  }

  // Of some jobs, that not all numbers of workers are allowed.
  void drawSizes(WorkersSpec& workers) {
    for (Workers size = workers.min; size <= workers.max; size += Workers(1)) {
      if (draw(0, 3) == 0) workers.sizes.push_back(size);
    }
    if (draw(0, 1)) workers.sizes.clear();
    narrowToSizes(workers);
  }

  // As far as the capacity and the limits allow.
  void letRun(JobView& view) {
    const JobSpec& spec = view.job.spec;
    const int least = spec.workers.min.value();
    slaq::testing::run(view, draw(least, std::max(least, 3)));
    if (spec.workers.scaling == Scaling::CPU) {
      const Cores cpu(spec.workers.cpu.min.value() + draw(0, 90));
      slaq::testing::run(view, spec.workers.min.value());
      view.workers.cpu = CpuView{.asked = cpu, .held = cpu * view.workers.desired};
    }
    if (spec.driver) view.driver.exists = view.driver.active = true;
    const Cores limit = limitOf(world_.settings, view.job.key.ns).cores.value_or(world_.capacity);
    Cores& used = inUseBy_[view.job.key.ns];
    if (used + coresInUse(view) <= limit && inUse_ + coresInUse(view) <= world_.capacity) {
      used += coresInUse(view);
      inUse_ += coresInUse(view);
    } else {
      view.workers = {};
      view.driver = {};
    }
  }

  std::mt19937_64 random_;
  World world_;
  Cores inUse_;
  std::map<std::string, Cores> inUseBy_;
};

Cores targetOf(const JobSpec& spec, const JobPlan& plan) {
  if (plan.target == Workers(0)) return Cores();
  return driverCoresOf(spec) + coresOf(spec, {plan.target, plan.targetCpu});
}

TEST(AnyDecision, KeepsTheCapacityAndTheLimitsOfNamespaces) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomWorld random(seed);
    World& world = random.world();
    const auto plan = world.decide();
    std::map<std::string, Cores> sums;
    Cores all;
    for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
      const Cores target = targetOf(world.specOf(j), plan.jobs[j]);
      sums[plan.jobs[j].job.ns] += target;
      all += target;
    }
    ASSERT_LE(all, world.capacity) << seed;
    for (const auto& [ns, sum] : sums) {
      ASSERT_LE(sum, limitOf(world.settings, ns).cores.value_or(sum)) << ns << " " << seed;
    }
  }
}

TEST(AnyDecision, KeepsEachJobWithinItsBounds) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomWorld random(seed);
    const auto plan = random.world().decide();
    for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
      const auto& job = plan.jobs[j];
      const auto& workers = random.world().specOf(j).workers;
      ASSERT_TRUE(std::isfinite(job.gainPerCore));
      ASSERT_FALSE(job.reason.empty());
      if (job.state == JobState::Waiting) continue;
      ASSERT_GE(job.target, workers.min) << seed;
      ASSERT_LE(job.target, workers.max) << seed;
      ASSERT_EQ(job.targetCpu.has_value(), workers.scaling == Scaling::CPU);
      if (!job.targetCpu) continue;
      ASSERT_GE(*job.targetCpu, workers.cpu.min) << seed;
      ASSERT_LE(*job.targetCpu, workers.cpu.max) << seed;
    }
  }
}

TEST(AnyDecision, GivesEachJobASizeThatItCanHave) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomWorld random(seed);
    const auto plan = random.world().decide();
    for (std::size_t j = 0; j < plan.jobs.size(); ++j) {
      const auto& job = plan.jobs[j];
      const auto& sizes = random.world().specOf(j).workers.sizes;
      const bool changes = job.target != Workers(0) && job.target != job.held;
      ASSERT_TRUE(!changes || sizes.empty() || std::ranges::binary_search(sizes, job.target)) << seed;
    }
    for (const auto& action : plan.actions) {
      const auto* start = std::get_if<StartJob>(&action);
      if (!start) continue;
      const auto& sizes =
          random.world().specOf(static_cast<std::size_t>(start->job.name[0] - 'a')).workers.sizes;
      ASSERT_TRUE(sizes.empty() || std::ranges::binary_search(sizes, start->workers)) << seed;
    }
  }
}

// What shrinks holds its cores until its pods are gone: growths and starts must fit beside it.
TEST(AnyDecision, StartsAndGrowsOnlyIntoCoresThatAreFree) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomWorld random(seed);
    World& world = random.world();
    Cores after = random.inUse();
    const auto plan = world.decide();
    for (const auto& action : plan.actions) {
      const auto j = static_cast<std::size_t>(jobOf(action).name[0] - 'a');
      const JobSpec& spec = world.specOf(j);
      if (const auto* scaled = std::get_if<ScaleWorkers>(&action); scaled && scaled->to > scaled->from) {
        const auto cpu =
            std::min(plan.jobs[j].heldCpu, plan.jobs[j].targetCpu);  // a shrink in place comes first
        after += coresOf(spec, {scaled->to - scaled->from, cpu});
      }
      if (const auto* resized = std::get_if<ScaleCpu>(&action); resized && resized->to > resized->from) {
        after += (resized->to - resized->from) * plan.jobs[j].target;
      }
      if (const auto* start = std::get_if<StartJob>(&action)) {
        after += coresOf(spec, {start->workers, start->cpu}) + driverCoresOf(spec);
      }
    }
    ASSERT_LE(after, world.capacity) << seed;
  }
}

TEST(AnyDecision, DoesNotDependOnTheOrderOfTheJobs) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    RandomWorld random(seed);
    World& world = random.world();
    auto plan = world.decide();
    std::vector<JobPlan> asGiven = plan.jobs;
    world.reverse();
    std::vector<JobPlan> reversed = world.decide().jobs;
    std::ranges::reverse(reversed);
    for (auto* jobs : {&asGiven, &reversed}) {
      for (auto& job : *jobs) job.reason.clear();  // who goes first into free cores may differ
    }
    ASSERT_EQ(asGiven, reversed) << seed;
  }
}

// As long as nothing new is learned, what was decided stands: a few epochs settle the world.
TEST(AnyDecision, SettlesWhileTheForecastsStandStill) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    RandomWorld random(seed);
    World& world = random.world();
    for (int epoch = 0; epoch < 8; ++epoch) world.settle(world.decide());
    const auto plan = world.decide();
    for (const auto& action : plan.actions) ADD_FAILURE() << seed << ": " << toString(action);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace slaq::scheduler
