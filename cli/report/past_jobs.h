// Makes two workloads for the simulator from the history of jobs in Prometheus. In the first, each job has
// the size that it had. In the second, it may have any size that its TrainingJob allows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/web/history.h"
#include "kube/objects/training_job.h"
#include "simulate/input/workload.h"

namespace slaq::cli::report {

// The jobs of a range of time. A core of their workloads is a unit: a part of a core that divides all
// workers.
struct PastJobs {
  simulate::Workload asTheyWere;  // each job has the size that it had in the mean
  simulate::Workload asTheyMay;   // each has any size that its TrainingJob allows
  std::vector<JobKey> keys;       // of the jobs, in the order of both workloads
  std::vector<double> workers;    // that each had in the mean
  Cores capacity;                 // that they share
  Cores unit;
  std::vector<std::string> ofOneSize =
      {};                              // jobs that ran with one size only: their other speeds are estimated
  std::vector<std::string> left = {};  // "NAME: why" for jobs that are left out
};

// `history` as historyOf (cli/web/history.h) returns it, and the jobs that exist now. The
// status of a job tells its speeds at other sizes than it had. If it tells none, n workers are n times as
// fast as one. `areAll`: the controller has no other jobs, so that these may have all of its capacity; else
// they may have as much as they held at once. Invalid if no job can be simulated.
Result<PastJobs> pastJobs(const std::vector<web::PastMoment>& history,
                          const std::vector<kube::objects::StoredJob>& now, bool areAll);

}  // namespace slaq::cli::report
