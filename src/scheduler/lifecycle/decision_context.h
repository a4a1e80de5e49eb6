// What one decision is made under: what is seen, what the administrator chose, and what both together are for
// each job: the budget it draws from and the weight it has there.
#pragma once

#include "scheduler/allocation/budget.h"
#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// REQUIRES: the snapshot and the settings outlive it.
struct DecisionContext {
  const Snapshot& snapshot;
  const Settings& settings;
  Budget budget;              // the capacity and the limits of the namespaces, nothing taken yet
  std::vector<Group> groups;  // of each job; empty where no namespace has a limit of cores

  // Of the job at a place of the snapshot; its weight is within the limit of its namespace.
  Group groupOf(std::size_t job) const { return groups.empty() ? kNoGroup : groups[job]; }
  int weightOf(std::size_t job) const;
};

DecisionContext contextOf(const Snapshot& snapshot, const Settings& settings);

// The limit of a namespace: its own, else that for all which are not named, else none.
const NamespaceLimit& limitOf(const Settings& settings, const std::string& ns);

}  // namespace slaq::scheduler
