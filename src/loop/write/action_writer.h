// Carries out the actions of plans, those of different jobs side by side where the cluster takes that.
// Actions that fail come last and are tried ever more seldom, so that they hold no other one up.
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

  // Does what `plan` says, as long as `mayGoOn`, which any thread may call, says so before each action; what
  // is left, the next plan says again. Actions begin in the plan's order, so that cores are given back before
  // others take them. The pods of a job that is complete are stopped only once its status says so. Begins
  // nothing more after kMostSilences calls without an answer.
  std::vector<ActionResult> apply(const scheduler::Snapshot& snapshot, const scheduler::Plan& plan,
                                  const StatusWriter& statuses, Seconds epoch,
                                  const std::function<bool()>& mayGoOn);

 private:
  // Of one job, in their order: they are done one after the other.
  using JobActions = std::vector<const Action*>;
  // What was done with an action, and how long that took.
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

  // How many workers a job's Job was last told to have.
  struct Asked {
    std::string uid;  // of the TrainingJob
    Workers workers;
  };

  Cluster& cluster_;
  const Clock& clock_;
  RetryTimes retries_;
  std::map<JobKey, Asked> asked_;  // of jobs whose workers run, as far as this process told them
  // Of this epoch:
  std::vector<Try> tries_;
  std::map<JobKey, std::size_t> places_;  // of each job in the snapshot and in the plan
};

}  // namespace slaq::loop
