// Actions on a job in the cluster, as values: the scheduler plans them, adapters carry them out. Each states
// an absolute goal, so doing it twice is harmless.
#pragma once

#include <optional>
#include <variant>

#include "job/job.h"

namespace slaq {

// Creates the job's children (service, driver, workers) with the given number of workers, or resumes them if
// they exist already but are suspended.
struct StartJob {
  JobKey job;
  Workers workers;
  std::optional<Cores> cpu = {};  // of each worker, where the job scales by CPU

  bool operator==(const StartJob&) const = default;
};

// Changes the number of workers of a running job.
struct ScaleWorkers {
  JobKey job;
  Workers from;
  Workers to;

  bool operator==(const ScaleWorkers&) const = default;
};

// Changes the cores of each worker of a running job in place: no pod is restarted. The action is repeated
// while replacement pods do not have the cores yet.
struct ScaleCpu {
  JobKey job;
  Cores from;
  Cores to;

  bool operator==(const ScaleCpu&) const = default;
};

// Ends the pods of a job, the driver's included, and keeps the job, which was suspended or must wait.
struct SuspendJob {
  JobKey job;

  bool operator==(const SuspendJob&) const = default;
};

// Ends the remaining pods of a finished job, however it ended. The driver's log stays readable.
struct FinishJob {
  JobKey job;

  bool operator==(const FinishJob&) const = default;
};

// Deletes the TrainingJob and all objects that it owns, once its ttlAfterFinished is over.
struct DeleteJob {
  JobKey job;

  bool operator==(const DeleteJob&) const = default;
};

// Brings what a job's queue reserves for it to its driver and this number of workers: asks for it, withdraws
// what was asked for, or gives back. 0 gives back all. No pods are changed.
struct RequestQuota {
  JobKey job;
  Workers workers;
  bool podsReady = false;  // as the queue is to be told
  // The queue is to add this to the priority, since it grows with what an eviction costs. Empty: no change.
  std::optional<int> priorityBoost = {};

  bool operator==(const RequestQuota&) const = default;
};

using Action = std::variant<StartJob, ScaleWorkers, ScaleCpu, SuspendJob, FinishJob, DeleteJob, RequestQuota>;

const JobKey& jobOf(const Action& action);
// One line for a log: "scale team-a/logreg from 4 to 6 workers".
std::string toString(const Action& action);

}  // namespace slaq
