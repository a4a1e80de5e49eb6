// The admitted jobs as they enter the division of cores: each with the sizes that it may have this time and,
// where it has one, its forecast.
#pragma once

#include "scheduler/decision/demand_builder.h"

namespace slaq::scheduler {

// Columns of the same length, in the order of admission.
struct AdmittedJobs {
  std::vector<std::size_t> jobs;  // indexes into the snapshot
  std::vector<Demand> demands;
  std::vector<Sizes> sizes;
  std::vector<Phase> phases;
  Budget budget = Cores();  // without the drivers' cores
  Seconds calm = {};        // time since any of them was last told to change
};

// The demand of each admitted job (scheduler/decision/demand_builder.h), bounded by the trust in its
// forecast. Several threads share the work for many jobs; the result is the same with any number. REQUIRES:
// the minimums of the admitted jobs fit, if need be with their pins waived.
AdmittedJobs admittedJobs(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                          const std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
