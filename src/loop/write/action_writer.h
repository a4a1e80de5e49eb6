// Carries out the actions of plans. Actions of different jobs run side by side where the cluster allows it.
// Actions that failed come last and are tried less and less often, so that they hold up no others.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "loop/write/retry_times.h"
#include "loop/write/status_writer.h"
#include "ports/cluster.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

struct ActionResult {
  Action action;
  Result<void> result;
};

// One thread owns it.
class ActionWriter {
 public:
  // Both outlive it.
  ActionWriter(Cluster& cluster, const Clock& clock) : cluster_(cluster), clock_(clock) {}

  // Carries out the actions of `plan` while `mayGoOn` returns true; any thread may call it, before each
  // action. The next plan repeats what is left. Actions begin in the plan's order, so that cores are given
  // back before other jobs take them. The pods of a complete job are stopped only once its status says that
  // it is complete. Begins nothing more after kMostSilences calls without an answer.
  std::vector<ActionResult> apply(const scheduler::Snapshot& snapshot, const scheduler::Plan& plan,
                                  const StatusWriter& statuses, Seconds epoch,
                                  const std::function<bool()>& mayGoOn);

 private:
  // The actions of one job, carried out in this order one after the other.
  using JobActions = std::vector<const Action*>;
  // One try of an action: its result and how long it took.
  struct Try {
    ActionResult done;
    Seconds took;
  };

  std::vector<JobActions> inTurn(const scheduler::Plan& plan, const StatusWriter& statuses) const;
  std::vector<Try> applyAll(const JobActions& actions, const std::function<bool()>& mayGoOn);
  void record(const scheduler::Plan& plan, const Try& each);
  const JobView& viewOf(const scheduler::Snapshot& snapshot, const Try& each) const;
  void noteFailures(const scheduler::Snapshot& snapshot, Seconds epoch);
  void tellOfEdits(const scheduler::Snapshot& snapshot);
  void noteAsked(const scheduler::Snapshot& snapshot);

  // The number of workers that slaq last asked for in a job's Job.
  struct Asked {
    std::string uid;  // of the TrainingJob
    Workers workers;
  };

  Cluster& cluster_;
  const Clock& clock_;
  RetryTimes retries_;
  std::map<JobKey, Asked> asked_;  // of jobs whose workers run, if this process set their number
  // Of this epoch:
  std::vector<Try> tries_;
  std::map<JobKey, std::size_t> places_;  // of each job in the snapshot and in the plan
};

}  // namespace slaq::loop
