// The context of one decision: the snapshot and the administrator's settings. Together they give, for each
// job, the budget that it draws from and its weight there.
#pragma once

#include <string>
#include <vector>

#include "scheduler/allocation/budget.h"
#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The bound on the cores of all jobs of a namespace, by the administrator's limit or by a ResourceQuota, or
// of all jobs whose queues share a quota.
struct GroupLimit {
  Cores cores;       // that they may have now
  Cores most;        // that they may have once no other pod uses any
  std::string name;  // such as "the limit of the namespace team-a, 16"
};

// REQUIRES: the snapshot and the settings outlive it.
struct DecisionContext {
  const Snapshot& snapshot;
  const Settings& settings;
  Budget budget;                   // the capacity and the limits of the groups, nothing taken yet
  std::vector<Group> groups;       // of each job; empty where no group has a limit of cores
  std::vector<GroupLimit> limits;  // of each group
  // For each job, whether its cores have been taken from the budget before admission; empty: of none.
  std::vector<bool> taken = {};
  Cores closing = {};  // taken for drivers whose workers are done; they come back when these end

  // `job` is a place in the snapshot. The weight is within the limit of the job's namespace.
  Group groupOf(std::size_t job) const { return groups.empty() ? kNoGroup : groups[job]; }
  int weightOf(std::size_t job) const;
  bool isTaken(std::size_t job) const { return !taken.empty() && taken[job]; }
};

DecisionContext contextOf(const Snapshot& snapshot, const Settings& settings);

// The limit of a namespace: its own, else the one for all namespaces that are not named, else none.
const NamespaceLimit& limitOf(const Settings& settings, const std::string& ns);

}  // namespace slaq::scheduler
