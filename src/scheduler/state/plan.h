// The plan of one epoch. For every job, also for those left alone, it has a target and the reason in words.
// Its actions lead to the targets, in the order in which they are done.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "job/action.h"
#include "job/view.h"
#include "scheduler/state/history.h"
#include "scheduler/state/settings.h"

namespace slaq::scheduler {

// One job, as a decision sees it. The view and the history outlive the decision.
struct JobSnapshot {
  const JobView* view = nullptr;
  const JobHistory* history = nullptr;
};

struct Snapshot {
  Time now;
  bool lossSourceDown = false;    // nothing could be read this epoch
  std::vector<JobSnapshot> jobs;  // sorted by key
  Cores capacity;                 // what training jobs may share now, their drivers included
  Cores leaving;                  // held by pods whose job is gone already
  bool releasesAtOnce = false;    // cores that a shrink gives back are free for growths of the same epoch
  std::optional<SharedMemory> memory = {};
  std::vector<QuotaView> quotas = {};  // sorted by namespace, at most one for each
  std::vector<QueueQuotaView> queueQuotas = {};
};

// The rule by which a job's size is found.
enum class Phase {
  Inactive,  // it takes no part in the division: the state of its plan says why
  Observed,  // its owner wants to see what would be decided: it keeps what it holds
  Fixed,     // its size cannot be changed: it keeps what it holds
  Resizing,  // a change is still under way: it keeps what it was asked to have
  Fair,      // no forecast decides about it: its part of a fair division, within its own sizes
  Held,      // its loss is not known at the moment: it does not grow, and gives only what others need
  Trial,     // it has fewer workers for once, to learn what they change
  Quality,   // decided by its forecast
};

// Nothing could be read of this job's loss this epoch.
inline bool isSourceDown(const JobSnapshot& job, const Snapshot& snapshot) {
  const auto& shown = job.view->shownLoss;
  return snapshot.lossSourceDown && !(shown && shown->sample);
}

struct JobPlan {
  JobKey job;
  JobState state = JobState::Pending;
  Phase phase = Phase::Fair;
  Workers held;    // as the cluster has it
  Workers target;  // as decided; reached at once or, where cores must become free first, later
  // The cores of each worker, held and decided, where the job scales by CPU.
  std::optional<Cores> heldCpu = {};
  std::optional<Cores> targetCpu = {};
  double predictedReduction = 0;      // weighted normalized loss by the next epoch, at `target`
  double gainPerCore = 0;             // of the next worker, normalized loss per core-second
  std::optional<Loss> forecast = {};  // the loss that is expected at the next epoch, at `target`
  std::string reason;                 // why, a clause; the other members tell what is done or has to wait
  std::string handover = {};          // which job gets the cores that it gives, or gives those that it gets
  std::optional<int> priorityBoost = {};  // where its queue is told what an eviction would cost
  Cores awaited = {};  // cores that others have to give back before the target can be reached; 0: none
  std::string endReason = {};  // why it is Complete or Failed, in CamelCase for programs

  bool operator==(const JobPlan&) const = default;
};

struct Plan {
  std::vector<JobPlan> jobs;    // in the order of the snapshot
  std::vector<Action> actions;  // actions that give cores back come first
  // The dual price of a core by which the policy decided, in weighted normalized loss per core-second; empty
  // where no forecast moved any core.
  std::optional<double> price = {};
};

}  // namespace slaq::scheduler
