// Refuses the fields of pod templates that one machine can't honour, rather than ignoring them.
#pragma once

#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "job/validate.h"

namespace slaq::local::cluster {

// The resource name of GPUs, as in NVIDIA's device plugin.
inline constexpr const char* kGpu = "nvidia.com/gpu";

// The machine where a job is to run.
struct LocalPlace {
  bool hasGpus = false;
  bool mayResume = false;  // its owner can take spec.suspend out later
};

// Every field of the job that can't be honoured here, with its path. Fields that make no difference to a
// process, such as the image, port numbers and labels, are ignored.
std::vector<Violation> checkLocal(const TrainingJob& job, const LocalPlace& place = {});

// Invalid if the new specification is of another kind of job: with a driver or without, by replicas or CPU.
Result<void> checkChange(const TrainingJob& job, const JobSpec& spec);

}  // namespace slaq::local::cluster
