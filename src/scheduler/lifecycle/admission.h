// Who may run when not all minimums fit: those who run already, then by weight, then age, then key. Nobody
// overtakes, neither for cores nor for memory that all share; a job that waits for the limit of its namespace
// is passed by the jobs of others.
#pragma once

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The cores that a job holds as long as it runs: its driver and its minimum of workers, or all of them where
// it is reserved.
Cores minimumOf(const JobSpec& spec);

// Turns the jobs of `plans` whose minimum does not fit into Waiting. The result is the order of admission:
// indexes of those who may run.
std::vector<std::size_t> admit(const DecisionContext& context, std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
