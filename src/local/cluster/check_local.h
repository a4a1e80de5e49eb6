// What of a pod one machine can honour. The rest is refused rather than left out in silence.
#pragma once

#include <vector>

#include "job/job.h"
#include "job/validate.h"

namespace slaq::local::cluster {

// Every field of the job's pod templates that can't be honoured here, with its path. Image, ports' numbers,
// labels and the like make no difference to a process and are passed over.
std::vector<Violation> checkLocal(const TrainingJob& job);

}  // namespace slaq::local::cluster
