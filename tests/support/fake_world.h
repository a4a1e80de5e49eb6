// A cluster, a loss source and a clock in virtual time, for the loop's tests: pods become ready one epoch
// after they were asked for as far as there is room, trainers do iterations as fast as their cores allow, and
// everything that was done to the cluster is recorded.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "ports/cluster.h"
#include "ports/loss_source.h"
#include "scheduler/state/sizes.h"
#include "support/jobs.h"

namespace slaq::testing {

struct FakeTrainer {
  std::function<double(double)> loss;  // after k iterations
  double coreSecondsPerIteration = 1;
  double lastIteration = 1e9;  // the driver ends with 0 then
  double iteration = 0;
  bool exportsLoss = true;
  std::optional<Workers> room = {};  // no more of its workers find a node
  std::vector<LossSample> exported = {};
  std::optional<std::string> notice = {};  // what the source says of its samples
};

// A trainer whose loss falls to 0.5: each iteration multiplies what is above that by exp(-rate).
inline FakeTrainer falling(double rate, double last = 1e9) {
  return {.loss = [rate](double k) { return 0.5 + std::exp(-rate * k); }, .lastIteration = last};
}

inline constexpr Seconds kEpoch{3};  // the default of a controller

class FakeWorld final : public Cluster, public LossSource, public Clock {
 public:
  void add(JobView view, FakeTrainer trainer) {
    view.job.created = now();
    jobs_[view.job.key] = view;
    trainers_[view.job.key] = std::move(trainer);
  }
  void remove(JobKey key) {
    jobs_.erase(key);
    trainers_.erase(key);
  }
  JobView& operator[](const std::string& name) { return jobs_.at({"default", name}); }
  FakeTrainer& trainer(const std::string& name) { return trainers_.at({"default", name}); }

  // Lets time pass: trainers work with the workers that are ready, then pods settle.
  void pass(Seconds time) {
    now_ += time;
    std::erase_if(jobs_, [](const auto& entry) { return entry.second.job.deleting; });
    for (auto& [key, view] : jobs_) {
      train(view, trainers_.at(key), time);
      settle(view, trainers_.at(key));
    }
    if (roomForAll) shareRoom();
  }

  Time now() const override { return now_; }
  Seconds monotonic() const override { return now_.time_since_epoch(); }

  Result<ClusterView> observe() override {
    ClusterView view{.time = now_, .jobs = {}};
    for (const auto& [key, job] : jobs_) view.jobs.push_back(job);
    view.nodes = nodes;
    return view;
  }

  Result<void> apply(const Action& action) override {
    actions.push_back(toString(action));
    now_ += eachAction;
    if (const auto failing = failures.find(jobOf(action)); failing != failures.end())
      return failure(failing->second);
    std::visit([&](const auto& each) { doIt(each, jobs_.at(each.job)); }, action);
    return {};
  }

  Result<void> writeStatus(const JobKey& job, const std::string&, const JobStatus& status) override {
    ++statusWrites;
    if (const auto failing = statusFailures.find(job); failing != statusFailures.end())
      return failure(failing->second);
    jobs_.at(job).status = status;
    return {};
  }

  void record(const JobKey& job, const Event& event) override {
    events.push_back(job.name + " " + event.reason);
  }

  Result<LossReport> collect(const std::vector<LossRequest>& requests, Time) override {
    if (lossDown) return failure(ErrorKind::Transient, "connection refused");
    LossReport report;
    for (const auto& request : requests) {
      auto& answer = report[request.job];
      const auto& trainer = trainers_.at(request.job);
      if (!trainer.exportsLoss) {
        answer.problem = "no series slaq_training_loss";
      }
      for (const auto& sample : trainer.exported) {
        const bool isRead = sample.time <= now_ - lossDelay;
        if (!sourceForgot && isRead && sample.time >= request.since) answer.samples.push_back(sample);
      }
      if (!answer.samples.empty()) answer.notice = trainer.notice;
      if (sourceForgot && !trainer.exported.empty()) answer.samples.push_back(trainer.exported.back());
    }
    return report;
  }

  std::optional<Workers> roomForAll;  // no more workers of all jobs together find a node
  std::vector<NodeView> nodes;
  std::vector<std::string> actions;
  std::vector<std::string> events;
  std::map<JobKey, Error> failures;        // what apply() answers for a job
  std::map<JobKey, Error> statusFailures;  // what writeStatus() answers for a job
  Seconds eachAction{0};                   // how long the cluster takes for it
  Seconds lossDelay{0};                    // after which a sample can be read
  Seconds scrapeInterval{0};               // samples are at least so far apart
  int statusWrites = 0;
  bool lossDown = false;
  bool sourceForgot = false;  // only the newest sample is left

 private:
  void train(JobView& view, FakeTrainer& trainer, Seconds time) {
    const bool hasDriver = view.job.spec.driver.has_value();
    auto& succeeded = hasDriver ? view.driver.succeeded : view.workers.succeeded;
    const bool trains = (hasDriver ? view.driver.active : runs(view.workers)) && !succeeded;
    const double cores = inCores(scheduler::askedCpuOf(view) * view.workers.ready);
    if (trains) trainer.iteration += cores * time.count() / trainer.coreSecondsPerIteration;
    if (trainer.iteration >= trainer.lastIteration) {
      trainer.iteration = trainer.lastIteration;
      succeeded = true;
      view.driver.active = false;
    }
    const bool isDue = trainer.exported.empty() || now_ - trainer.exported.back().time >= scrapeInterval;
    if ((trains || succeeded) && trainer.exportsLoss && isDue) {
      const double k = std::floor(trainer.iteration);
      trainer.exported.push_back({now_, Iterations(k), Loss(trainer.loss(k))});
    }
  }

  static void settle(JobView& view, const FakeTrainer& trainer) {
    auto& workers = view.workers;
    workers.terminating = Workers(0);
    workers.active = runs(workers) ? workers.desired : Workers(0);
    workers.ready = std::min(workers.active, trainer.room.value_or(workers.active));
    workers.obstacle.reset();
    if (workers.ready < workers.active) workers.obstacle = "0/3 nodes are available: 3 Insufficient cpu";
    if (workers.cpu)
      workers.cpu = CpuView{.asked = workers.cpu->asked, .held = workers.cpu->asked * workers.active};
  }

  // The pods of all jobs find nodes in turn.
  void shareRoom() {
    std::map<JobKey, Workers> wanted;
    for (auto& [key, view] : jobs_) wanted[key] = std::exchange(view.workers.ready, Workers(0));
    Workers left = *roomForAll;
    for (bool found = true; found && left > Workers(0);) {
      found = false;
      for (auto& [key, view] : jobs_) {
        if (view.workers.ready >= wanted[key] || left == Workers(0)) continue;
        view.workers.ready += Workers(1);
        left -= Workers(1);
        found = true;
      }
    }
    for (auto& [key, view] : jobs_) {
      if (view.workers.ready < wanted[key])
        view.workers.obstacle = "0/3 nodes are available: 3 Insufficient cpu";
    }
  }

  void doIt(const StartJob& action, JobView& view) {
    view.workers.exists = true;
    view.workers.suspended = false;
    view.workers.desired = action.workers;
    if (action.cpu) view.workers.cpu = CpuView{.asked = *action.cpu, .held = *action.cpu * action.workers};
    if (!view.job.spec.driver) return;
    view.driver.exists = view.driver.active = view.driver.ready = true;
    view.driver.suspended = false;
  }
  void doIt(const ScaleWorkers& action, JobView& view) {
    view.workers.desired = action.to;
    if (action.to < action.from) {
      view.workers.terminating = action.from - action.to;
      view.workers.active = action.to;
      view.workers.ready = std::min(view.workers.ready, action.to);
    }
  }
  void doIt(const SuspendJob&, JobView& view) {
    view.workers.suspended = view.driver.suspended = true;
    view.driver.active = false;
  }
  void doIt(const ScaleCpu& action, JobView& view) {
    view.workers.cpu = CpuView{.asked = action.to, .held = action.to * view.workers.desired};
  }
  void doIt(const FinishJob&, JobView& view) {
    view.workers.suspended = true;
    if (!view.driver.succeeded) view.driver.suspended = view.driver.exists;
    view.driver.active = false;
  }
  void doIt(const DeleteJob&, JobView& view) { view.job.deleting = true; }
  void doIt(const RequestQuota&, JobView&) {}

  Time now_{Seconds(1'000'000)};
  std::map<JobKey, JobView> jobs_;
  std::map<JobKey, FakeTrainer> trainers_;
};

}  // namespace slaq::testing
