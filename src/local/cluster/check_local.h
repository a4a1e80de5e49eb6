// Refuses the fields of pod templates that one machine can't honour, rather than ignoring them.
#pragma once

#include <vector>

#include "job/job.h"
#include "job/validate.h"

namespace slaq::local::cluster {

// Every field of the job that can't be honoured here, with its path. Fields that make no
// difference to a process, such as the image, port numbers and labels, are ignored. A job that is suspended
// is refused,
std::vector<Violation> checkLocal(const TrainingJob& job);
// unless there is a server of the machine's jobs, which can resume it.
std::vector<Violation> checkServed(const TrainingJob& job);

}  // namespace slaq::local::cluster
