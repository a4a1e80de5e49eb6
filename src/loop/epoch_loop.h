// One epoch of the scheduler: observe, learn, decide, apply, report. EpochTimer decides when it is due
// (loop/epoch_timer.h). The same loop runs a Kubernetes cluster, the processes of one machine and simulated
// time; it sees them only through the ports.
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

// The results of one epoch, for telemetry and for people. The references are valid only during the call.
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
  std::optional<Error> recordOutage;  // the records of kinds could not be read or written
  Seconds observing, deciding, applying;
};

// One thread owns it.
class EpochLoop {
 public:
  using Report = std::function<void(const EpochReport&)>;

  // The ports outlive the loop. `futureSource` returns a job's true curve, where that is known. Without a
  // predictor, the loop makes the one that the settings name.
  EpochLoop(Cluster& cluster, LossSource& losses, const Clock& clock, scheduler::Settings settings,
            Report report, scheduler::FutureSource futureSource = {},
            std::unique_ptr<forecast::Predictor> predictor = {});

  // Keeps what is learned about kinds of trainings in `records`, for later loops too. `records` outlives this
  // loop.
  void keepRecordsIn(RecordStore& records) { records_ = &records; }

  // `mayGoOn` is called before each write that the epoch waits for, on the epoch's thread or on one that
  // writes. When it returns false, because the program is to stop, the epoch begins nothing more.
  void beforeEachWrite(std::function<bool()> mayGoOn) { mayGoOn_ = std::move(mayGoOn); }

  // Runs one epoch. It waits for writes for some seconds at most, and the next epoch decides again on the
  // rest. Statuses may be written until the next epoch (loop/write/status_writer.h). An error means that the
  // cluster could not be observed and nothing was done. A failure of one job is in the report and harms no
  // other job.
  Result<void> run();

  // Begins no more writes of the last epoch.
  void stopWriting() { statusWriter_.stop(); }

  // True if the last epoch left a start or a growth waiting for cores that other jobs are giving back.
  bool waitsForCores() const { return heldThen_.has_value(); }
  // True if such a job waits and the newer `view` shows cores that were freed since.
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
  bool recalled_ = false;                    // the records of earlier loops were read
  std::optional<Seconds> recordsExchanged_;  // the last exchange of records, on the monotonic clock
  Report report_;
  scheduler::FutureSource futureSource_;
  std::int64_t number_ = 0;
  std::map<JobKey, scheduler::JobHistory> histories_;
  std::optional<Holding> heldThen_;  // at the last epoch, if that left a job waiting for cores
  std::function<bool()> mayGoOn_ = [] { return true; };
  StatusWriter statusWriter_;
  ActionWriter actionWriter_;
};

}  // namespace slaq::loop
