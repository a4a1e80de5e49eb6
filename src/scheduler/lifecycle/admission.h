// The order of admission when not all minimums fit: running jobs first, then by weight, then age, then key.
// No job overtakes another, neither for cores nor for shared memory. Only a job that waits for the limit of
// its namespace is passed by jobs of other namespaces.
#pragma once

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The cores that a job holds as long as it runs, for its driver and its minimum of workers. A reserved job
// holds the cores of all its workers.
Cores minimumOf(const JobSpec& spec);

// Turns the jobs of `plans` whose minimum does not fit into Waiting. Returns the indexes of the jobs that may
// run, in the order of admission.
std::vector<std::size_t> admit(const DecisionContext& context, std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
