// Carries out the actions of plans. Actions that fail come last and are tried ever more seldom, so that they
// hold no other one up.
#pragma once

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

  // Does what `plan` says, as long as `mayGoOn` says so before each action; what is left, the next plan says
  // again. The pods of a job that has ended are stopped only once its status says so. Stops after
  // kMostSilences calls without an answer.
  std::vector<ActionResult> apply(const scheduler::Snapshot& snapshot, const scheduler::Plan& plan,
                                  const StatusWriter& statuses, Seconds epoch,
                                  const std::function<bool()>& mayGoOn);

 private:
  std::vector<const Action*> inTurn(const scheduler::Plan& plan) const;
  void applyOne(const scheduler::Plan& plan, const Action& action);
  void noteFailures(const scheduler::Snapshot& snapshot, Seconds epoch);
  void tellOfEdits(const scheduler::Snapshot& snapshot);
  void noteAsked(const scheduler::Snapshot& snapshot);

  // What was done with an action, and how long that took.
  struct Try {
    ActionResult done;
    Seconds took;
  };

  // How many workers a job's Job was last told to have.
  struct Asked {
    std::string uid;  // of the TrainingJob
    Workers workers;
  };

  Cluster& cluster_;
  const Clock& clock_;
  RetryTimes retries_;
  std::map<JobKey, Asked> asked_;  // of jobs whose workers run, as far as this process told them
  std::vector<Try> tries_;         // of this epoch
};

}  // namespace slaq::loop
