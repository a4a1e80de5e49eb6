// Who may run when not all minimums fit: those who run already, then by weight, then age, then key. Nobody
// overtakes.
#pragma once

#include "schedule/plan.h"

namespace slaq {

// The cores that a job holds as long as it runs: its driver and its minimum of workers.
Cores minimumOf(const JobSpec& spec);
// The cores of its driver's pod; none when worker 0 is the chief.
Cores driverCoresOf(const JobSpec& spec);

// Turns the jobs of `plans` whose minimum does not fit into Waiting. The result is the order of admission:
// indexes of those who may run.
std::vector<std::size_t> admit(const Snapshot& snapshot, std::vector<JobPlan>& plans);

}  // namespace slaq
