// A TrainingJob as the objects that run it: a headless Service, a Job with the driver, and an elastic Indexed
// Job with the workers. Pure: values in, JSON text out.
#pragma once

#include <optional>
#include <string>

#include "job/job.h"
#include "kube/objects/child.h"

namespace slaq::kube::objects {

// Bodies of POST requests. REQUIRES: the job has no violations.
std::string serviceBody(const TrainingJob& job);
std::string driverBody(const TrainingJob& job);
// `cpu`: of each worker, where the job scales by CPU.
std::string workersBody(const TrainingJob& job, Workers count, std::optional<Cores> cpu = {});

// What a child Job is to be told. What is not set stays.
struct ChildGoal {
  std::optional<bool> suspended;
  std::optional<Workers> count;
  std::optional<Cores> cpu = {};  // of each worker

  bool operator==(const ChildGoal&) const = default;
};

// True when the child is told that already.
bool reached(const ChildJob& child, const ChildGoal& goal);

// The merge patch that tells it, refused by the server if the child was replaced or changed since it was
// read.
std::string patchBody(const ChildJob& child, const ChildGoal& goal);

}  // namespace slaq::kube::objects
