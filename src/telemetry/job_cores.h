// The cores of one job as metrics count them.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::telemetry {

// Of each worker, as decided: by its template, or what a job that scales by CPU was given.
Cores decidedWorkerCores(const JobView& view, const scheduler::JobPlan& plan);

// Of the workers that are ready.
Cores readyCores(const JobView& view, const scheduler::JobPlan& plan);

// Of the workers that were decided on, and of their driver.
Cores decidedCores(const JobView& view, const scheduler::JobPlan& plan);

}  // namespace slaq::telemetry
