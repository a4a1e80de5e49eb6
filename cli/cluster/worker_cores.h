// The cores of a job's pods, as commands know them from the API server.
#pragma once

#include "job/job.h"
#include "job/status.h"

namespace slaq::cli::cluster {

// The cores of each worker, as the scheduler counts them.
Cores workerCoresOf(const JobSpec& spec, const JobStatus& status);

// The cores of its driver; 0 if the scheduler counts another resource than the CPU.
Cores driverCoresOf(const JobSpec& spec, const JobStatus& status);

}  // namespace slaq::cli::cluster
