// What one decision is made under: what is seen, what the administrator chose, and both together as figures
// for each job: the budget it draws from and the weight it has there.
#pragma once

#include "schedule/budget.h"
#include "schedule/plan.h"

namespace slaq {

// REQUIRES: the snapshot and the settings outlive it.
struct Terms {
  const Snapshot& snapshot;
  const Settings& settings;
  Budget budget;              // the capacity and the limits of the namespaces, nothing taken yet
  std::vector<Group> groups;  // of each job
  std::vector<int> weights;   // of each job, within the limit of its namespace
};

Terms termsOf(const Snapshot& snapshot, const Settings& settings);

// The limit of a namespace: its own, else that for all which are not named, else none.
NamespaceLimit limitOf(const Settings& settings, const std::string& ns);

}  // namespace slaq
