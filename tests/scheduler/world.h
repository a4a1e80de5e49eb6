// A world of jobs at one moment and what was learned of each, for the tests of decisions.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "forecast/predictors/registry.h"
#include "scheduler/decision/decide.h"
#include "scheduler/explain/plan_text.h"
#include "scheduler/state/observe.h"
#include "scheduler/state/sizes.h"
#include "support/jobs.h"

namespace slaq::testing {

inline Time at(double seconds) { return Time(Seconds(seconds)); }

// The paper's way: by Algorithm 1 with weighted curves.
inline scheduler::Settings asPublished() {
  return {.policy = scheduler::findPolicy("TotalQuality"), .predictor = "Published"};
}

// At second 100.
class World {
 public:
  explicit World(Cores cores, scheduler::Settings chosen = {})
      : settings(std::move(chosen)), capacity(cores) {}

  JobView& add(JobView view) {
    views_.push_back(std::make_unique<JobView>(std::move(view)));
    histories_.push_back(std::make_unique<scheduler::JobHistory>());
    histories_.back()->losses.caughtUp = true;
    return *views_.back();
  }
  scheduler::JobHistory& historyOf(std::size_t i) { return *histories_[i]; }
  JobView& viewAt(std::size_t i) { return *views_[i]; }
  const JobSpec& specOf(std::size_t i) const { return views_[i]->job.spec; }

  // The job exports a loss that falls from 1 like exp(-rate k), two iterations a second, for 20 s till now.
  void learned(std::size_t i, double rate) {
    auto& history = *histories_[i];
    observe(history, *views_[i], at(79));
    for (int s = 0; s <= 20; ++s) {
      learn(history, at(80 + s), Iterations(2 * s), Loss(std::exp(-rate * 2 * s)), {});
    }
    refit(history, {.loss = {Convergence::Superlinear}},
          *makePredictor(settings.predictor, forecast::defaultConstants()));
  }

  scheduler::Plan decide() {
    scheduler::Snapshot snapshot{.now = at(100),
                                 .lossSourceDown = lossSourceDown,
                                 .jobs = {},
                                 .capacity = capacity,
                                 .leaving = leaving,
                                 .memory = memory,
                                 .quotas = quotas,
                                 .queueQuotas = queueQuotas};
    for (std::size_t i = 0; i < views_.size(); ++i) {
      snapshot.jobs.push_back({views_[i].get(), histories_[i].get()});
    }
    return scheduler::decide(snapshot, settings);
  }

  // Everything that was decided is done, and all pods are what was asked for.
  void settle(const scheduler::Plan& plan) {
    for (std::size_t i = 0; i < views_.size(); ++i) {
      for (const auto& action : plan.actions) {
        if (jobOf(action) == views_[i]->job.key) settle(*views_[i], action);
      }
      histories_[i]->resizes.since.reset();
    }
  }

  void reverse() {
    std::reverse(views_.begin(), views_.end());
    std::reverse(histories_.begin(), histories_.end());
  }

  scheduler::Settings settings;
  Cores capacity;
  bool lossSourceDown = false;
  Cores leaving;
  std::optional<SharedMemory> memory;
  std::vector<QuotaView> quotas;
  std::vector<QueueQuotaView> queueQuotas;

 private:
  static void settle(JobView& view, const Action& action) {
    auto& workers = view.workers;
    if (const auto* start = std::get_if<StartJob>(&action)) {
      run(view, start->workers.value());
      if (start->cpu) workers.cpu = CpuView{.asked = *start->cpu, .held = {}};
      if (view.job.spec.driver) view.driver.exists = view.driver.active = true;
    } else if (const auto* scaled = std::get_if<ScaleWorkers>(&action)) {
      run(view, scaled->to.value());
    } else if (const auto* resized = std::get_if<ScaleCpu>(&action)) {
      workers.cpu->asked = resized->to;
    } else {
      workers = {};
      view.driver = {};
    }
    if (workers.cpu) workers.cpu->held = workers.cpu->asked * workers.desired;
  }

  std::vector<std::unique_ptr<JobView>> views_;
  std::vector<std::unique_ptr<scheduler::JobHistory>> histories_;
};

inline Action starts(const char* job, int workers) { return StartJob{{"default", job}, Workers(workers)}; }
inline Action scales(const char* job, int from, int to) {
  return ScaleWorkers{{"default", job}, Workers(from), Workers(to)};
}
inline Action suspends(const char* job) { return SuspendJob{{"default", job}}; }
inline Action finishes(const char* job) { return FinishJob{{"default", job}}; }
inline Action scalesCpu(const char* job, int from, int to) {
  return ScaleCpu{{"default", job}, Cores(from), Cores(to)};
}

}  // namespace slaq::testing
