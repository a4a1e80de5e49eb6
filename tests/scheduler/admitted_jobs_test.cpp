#include "scheduler/decision/admitted_jobs.h"

#include <gtest/gtest.h>

#include <numeric>

#include "forecast/predictors/ensemble_predictor.h"
#include "scheduler/state/observe.h"
#include "support/jobs.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::viewOf;

// Jobs of which each is some way down a curve of its own.
class ManyJobs {
 public:
  explicit ManyJobs(std::size_t count) : views_(count), histories_(count), plans_(count) {
    for (std::size_t i = 0; i < count; ++i) {
      views_[i] = viewOf("job-" + std::to_string(100'000 + i));
      train(histories_[i], views_[i], static_cast<double>(i));
      plans_[i].phase = i % 5 == 0 ? Phase::Fair : Phase::Quality;
      snapshot_.jobs.push_back({&views_[i], &histories_[i]});
    }
    snapshot_.now = Time(Seconds(1'000'060));
    snapshot_.capacity = Cores(1000 * 64 * static_cast<std::int64_t>(count));
  }

  AdmittedJobs admittedOfThose(std::size_t first, std::size_t count) const {
    std::vector<std::size_t> admitted(count);
    std::iota(admitted.begin(), admitted.end(), first);
    return admittedJobs(contextOf(snapshot_, settings_), admitted, plans_);
  }

 private:
  void train(JobHistory& history, const JobView& view, double i) const {
    const Time start(Seconds(1'000'000));
    observe(history, view, start);
    for (int s = 0; s < 6; ++s) {
      const double k = s * (1 + i / 1000);
      learn(history, start + Seconds(10 * s), Iterations(k), Loss(1 / (1 + 0.1 * k)), {});
    }
    refit(history, {}, forecast::EnsemblePredictor(forecast::defaultConstants()));
    history.runtime.expect({.slowness = 1 + i, .isTimed = true}, Cores(1000));
  }

  std::vector<JobView> views_;
  std::vector<JobHistory> histories_;
  std::vector<JobPlan> plans_;
  Snapshot snapshot_;
  Settings settings_{.policy = findPolicy("TotalQuality")};
};

TEST(AdmittedJobs, HaveTheSameDemandsWhereThreadsShareTheWork) {
  constexpr std::size_t kJobs = 5000, kPart = 50;
  const ManyJobs many(kJobs);
  const AdmittedJobs all = many.admittedOfThose(0, kJobs);
  ASSERT_EQ(all.demands.size(), kJobs);
  for (std::size_t first = 0; first < kJobs; first += kPart) {
    const AdmittedJobs few = many.admittedOfThose(first, kPart);
    for (std::size_t i = 0; i < kPart; ++i) {
      const Demand& one = few.demands[i];
      const Demand& same = all.demands[first + i];
      ASSERT_EQ(few.phases[i], all.phases[first + i]) << first + i;
      ASSERT_EQ(one.held, same.held) << first + i;
      ASSERT_EQ(few.sizes[i].max, all.sizes[first + i].max) << first + i;
      ASSERT_EQ(one.grewLately, same.grewLately) << first + i;
      ASSERT_EQ(one.shrankLately, same.shrankLately) << first + i;
      ASSERT_EQ(one.min, same.min) << first + i;
      ASSERT_EQ(one.max, same.max) << first + i;
      ASSERT_EQ(one.iteration, same.iteration) << first + i;
      ASSERT_EQ(one.speed.at(1), same.speed.at(1)) << first + i;
      ASSERT_EQ(one.curve.at(1000), same.curve.at(1000)) << first + i;
    }
  }
}

// The work left of the start of a program that was expected to need two seconds of CPU time.
double startLeftAfter(double used) {
  auto view = viewOf("a", 1, 1);
  view.job.spec.workers.scaling = Scaling::CPU;
  view.job.spec.workers.cpu = {Cores(200), Cores(1000)};
  slaq::testing::run(view, 1);
  view.workers.cpu = CpuView{.asked = Cores(500), .held = Cores(500)};
  Snapshot snapshot;
  snapshot.now = Time(Seconds(1'000'000));
  snapshot.capacity = Cores(4000);
  JobHistory history;
  observe(history, view, snapshot.now);
  history.expected.start = Seconds(2);
  history.pods.cpuReadings.add({.time = snapshot.now, .used = Seconds(used)});
  snapshot.jobs.push_back({&view, &history});
  const Settings settings;
  return admittedJobs(contextOf(snapshot, settings), {0}, {JobPlan()}).demands[0].startWork;
}

TEST(AdmittedJobs, NeedTheMoreOfAStartTheLongerItHasTaken) {
  EXPECT_DOUBLE_EQ(startLeftAfter(0), 2);
  EXPECT_DOUBLE_EQ(startLeftAfter(1), 1);
  EXPECT_DOUBLE_EQ(startLeftAfter(2), 0.5);
  EXPECT_DOUBLE_EQ(startLeftAfter(8), 2);
}

}  // namespace
}  // namespace slaq::scheduler
