// One epoch of the scheduler: observe, learn, decide, apply, report. When it is, others say
// (loop/epoch_timer.h). The same loop runs a Kubernetes cluster, one machine's processes and simulated time;
// it knows them through the ports only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "loop/holding.h"
#include "loop/write/action_writer.h"
#include "loop/write/status_writer.h"
#include "ports/cluster.h"
#include "ports/loss_source.h"
#include "ports/record_store.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

// What one epoch did, for telemetry and for people. The references live as long as the call.
struct EpochReport {
  std::int64_t number;  // counts this loop's epochs from 1
  const ClusterView& view;
  Cores capacity;
  const std::map<JobKey, scheduler::JobHistory>& histories;
  const scheduler::Plan& plan;
  const std::vector<JobStatus>& statuses;  // in the order of plan.jobs
  const std::vector<ActionResult>& actions;
  const std::vector<StatusFailure>& statusFailures;
  std::optional<Error> lossOutage;
  std::optional<Error> recordOutage;  // what was learned of kinds could not be read or kept
  Seconds observing, deciding, applying;
};

// One thread owns it.
class EpochLoop {
 public:
  using Report = std::function<void(const EpochReport&)>;

  // The ports outlive the loop. `futureSource` tells the future, where it is known. Without a predictor, the
  // one that the settings name is made.
  EpochLoop(Cluster& cluster, LossSource& losses, const Clock& clock, scheduler::Settings settings,
            Report report, scheduler::FutureSource futureSource = {},
            std::unique_ptr<forecast::Predictor> predictor = {});

  // What is learned of kinds of trainings outlives the loop in `records`, which outlives the loop as well.
  void keepRecordsIn(RecordStore& records) { records_ = &records; }

  // `mayGoOn` is called before each write that the epoch waits for, on its thread or on one of its writes.
  // When it says no, because the program is to stop, the epoch begins nothing more.
  void beforeEachWrite(std::function<bool()> mayGoOn) { mayGoOn_ = std::move(mayGoOn); }

  // Runs one epoch. It waits for writes for some seconds at most; what is left is decided again. Statuses may
  // be written until the next one (loop/write/status_writer.h). An error means that
  // the cluster could not be observed and nothing was done; what fails for one job is in the report and harms
  // no other.
  Result<void> run();

  // Begins no more writes of the last epoch.
  void stopWriting() { statusWriter_.stop(); }

  // Whether the last epoch left a start or a growth waiting for cores that others are giving back,
  bool waitsForCores() const { return heldThen_.has_value(); }
  // and whether any have come free since, as a newer view shows.
  bool hasFreed(const ClusterView& view) const { return heldThen_ && heldThen_->isLessIn(view); }

 private:
  using Histories = std::vector<scheduler::JobHistory*>;  // in the order of the view's jobs

  Histories remember(const ClusterView& view);
  std::optional<Error> readLosses(const ClusterView& view, const Histories& histories);
  scheduler::Snapshot snapshotOf(const ClusterView& view, const Histories& histories,
                                 bool lossSourceDown) const;
  std::vector<ActionResult> write(const scheduler::Snapshot& snapshot, const scheduler::Plan& plan,
                                  const std::vector<JobStatus>& statuses);
  std::function<bool()> writingFor(Seconds time) const;
  std::vector<JobStatus> statusesOf(const scheduler::Snapshot& snapshot, const scheduler::Plan& plan) const;
  std::optional<Error> exchangeRecords();
  Result<void> recall();

  Cluster& cluster_;
  LossSource& losses_;
  const Clock& clock_;
  scheduler::Settings settings_;
  std::unique_ptr<forecast::Predictor> predictor_;
  scheduler::Peers peers_;
  RecordStore* records_ = nullptr;
  bool recalled_ = false;                    // what earlier loops learned is known
  std::optional<Seconds> recordsExchanged_;  // when that was last tried, on the monotonic clock
  Report report_;
  scheduler::FutureSource futureSource_;
  std::int64_t number_ = 0;
  std::map<JobKey, scheduler::JobHistory> histories_;
  std::optional<Holding> heldThen_;  // as the last epoch saw it, if it left a job waiting for cores
  std::function<bool()> mayGoOn_ = [] { return true; };
  StatusWriter statusWriter_;
  ActionWriter actionWriter_;
};

}  // namespace slaq::loop
