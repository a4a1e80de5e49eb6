// How one job goes into the division of cores: the sizes it may have this time, its forecast, and how far
// that is trusted.
#pragma once

#include "scheduler/allocation/demand.h"
#include "scheduler/lifecycle/decision_context.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {

// What is known of it before.
struct AdmittedJob {
  std::size_t job;  // index into the snapshot
  const JobPlan& plan;
  Sizes sizes;
};

// The bounds within which the job may move hold what its owner and its phase say, and what the cluster can
// do.
Demand demandOf(const AdmittedJob& admitted, const DecisionContext& context);

void setSizes(Demand& demand, const Sizes& sizes);

// How far the policy relies on a forecast.
struct Trust {
  double share = 1;         // of all cores, that the job may take while others can use them
  bool nearlyDone = false;  // the forecast says that the job has no use for more than its minimum
};

Trust trustIn(const Demand& demand, const AdmittedJob& admitted, const DecisionContext& context);

}  // namespace slaq::scheduler
