// The cores of one job as metrics count them.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::telemetry {

// The decided cores of each worker: those of its template, or those given to a job that scales by CPU.
Cores decidedWorkerCores(const JobView& view, const scheduler::JobPlan& plan);

// The cores of all ready workers.
Cores readyCores(const JobView& view, const scheduler::JobPlan& plan);

// The cores of the decided workers and of their driver.
Cores decidedCores(const JobView& view, const scheduler::JobPlan& plan);

}  // namespace slaq::telemetry
