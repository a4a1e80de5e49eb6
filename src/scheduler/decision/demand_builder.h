// One job as it enters the division of cores: the sizes that it may have this time, its forecast, and the
// trust in that.
#pragma once

#include "scheduler/allocation/demand.h"
#include "scheduler/lifecycle/decision_context.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {

// An admitted job, with what is known before its demand is built.
struct AdmittedJob {
  std::size_t job;  // index into the snapshot
  const JobPlan& plan;
  Sizes sizes;
};

// The demand's bounds follow from the job's owner, from its phase, and from what the cluster can do.
Demand demandOf(const AdmittedJob& admitted, const DecisionContext& context);

void setSizes(Demand& demand, const Sizes& sizes);

// The policy's trust in a forecast.
struct Trust {
  double share = 1;         // of all cores, for the job to take while others can use them
  bool nearlyDone = false;  // the forecast says that the job has no use for more than its minimum
};

Trust trustIn(const Demand& demand, const AdmittedJob& admitted, const DecisionContext& context);

}  // namespace slaq::scheduler
