// Whole runs of random jobs under LookAhead keep these rules in each epoch.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "scheduler/lifecycle/lifecycle.h"
#include "simulate/run/simulation.h"
#include "support/workloads.h"

namespace slaq::simulate {
namespace {

using scheduler::Phase;
using testing::MadeUpJob;
using testing::workloadOf;

// Jobs of very different costs, some of which never fall.
class RandomJobs {
 public:
  explicit RandomJobs(unsigned seed) : random_(seed) {}

  Workload workload(bool hasPauses) {
    const int cores = integer(4, 24);
    std::vector<MadeUpJob> jobs;
    for (int i = integer(2, 8); i > 0; --i) {
      const int least = integer(1, 2);
      jobs.push_back({.name = "job-" + std::to_string(i),
                      .losses = losses(),
                      .cost = std::exp(real(std::log(0.1), std::log(30.0))),
                      .arrival = Seconds(real(0, 200)),
                      .least = least,
                      .most = least + integer(0, 30)});
    }
    std::ranges::sort(jobs, {}, &MadeUpJob::name);
    const auto pause = [&] { return Seconds(hasPauses ? integer(1, 5) : 0); };
    return workloadOf(cores, jobs, {.grow = pause(), .shrink = pause()});
  }

 private:
  int integer(int least, int most) { return std::uniform_int_distribution(least, most)(random_); }
  double real(double least, double most) { return std::uniform_real_distribution(least, most)(random_); }

  std::vector<double> losses() {
    const int last = integer(30, 400);
    const double pace = real(0.5, 40);
    const bool falls = integer(1, 8) > 1;
    std::normal_distribution noise(0.0, 0.003);
    std::vector<double> losses;
    for (int k = 0; k <= last; ++k) losses.push_back((falls ? 1 / (1 + k / pace) : 1) + noise(random_));
    return losses;
  }

  std::mt19937 random_;
};

using Tell = std::function<void(Seconds, const loop::EpochReport&)>;

void forRandomRuns(const std::function<Tell()>& watcher) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const bool hasPauses = seed % 2 == 0;
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto outcome =
        runSimulation(RandomJobs(seed).workload(hasPauses),
                      {.settings = {.policy = scheduler::findPolicy("LookAhead")}, .tell = watcher()});
    ASSERT_TRUE(outcome) << outcome.error().message;
  }
}

Cores leftBy(const loop::EpochReport& report) {
  Cores left = report.capacity;
  for (const auto& job : report.plan.jobs) left -= Cores(1000) * job.target;
  return left;
}

// A job grows into idle cores only if that pays for its pauses. The scheduler expects cores to stay idle for
// as long as they have been.
constexpr Seconds kLongestIdle{60};

TEST(Invariants, CoresThatNobodyGainsByAreIdleForAMomentOnly) {
  forRandomRuns([] {
    return [since = std::map<JobKey, Seconds>()](Seconds now, const loop::EpochReport& report) mutable {
      const bool isIdle = report.plan.price.value_or(0) == 0 && leftBy(report) >= Cores(1000);
      for (std::size_t i = 0; i < report.plan.jobs.size(); ++i) {
        const auto& job = report.plan.jobs[i];
        const bool couldHaveMore = isIdle && scheduler::takesPart(job.phase) && job.phase != Phase::Trial &&
                                   job.target < report.view.jobs[i].job.spec.workers.max;
        if (!couldHaveMore) since.erase(job.job);
        const Seconds begun = couldHaveMore ? since.try_emplace(job.job, now).first->second : now;
        ASSERT_LE(now - begun, kLongestIdle)
            << toString(job.job) << " at " << now.count() << " s: " << job.reason;
      }
    };
  });
}

TEST(Invariants, AJobThatHasShownNothingYetIsShrunkOnlyWhereAnotherGains) {
  int shrinks = 0;
  forRandomRuns([&] {
    return [&](Seconds now, const loop::EpochReport& report) {
      for (const auto& job : report.plan.jobs) {
        const bool isNew = !ownModel(report.histories.at(job.job));
        if (!isNew || job.phase != Phase::Quality || job.target >= job.held) continue;
        ++shrinks;
        EXPECT_GT(report.plan.price.value_or(0), 0)
            << toString(job.job) << " at " << now.count() << " s: " << job.reason;
      }
    };
  });
  EXPECT_GT(shrinks, 0);
}

}  // namespace
}  // namespace slaq::simulate
