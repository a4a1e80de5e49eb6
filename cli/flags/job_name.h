// Which job a command line means.
#pragma once

#include <string>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::flags {

// The job that is meant by "JOB" or "NAMESPACE/JOB", where `flagged` is what --namespace says, if anything,
// and `current` the namespace otherwise. Invalid when both name one, and not the same.
Result<JobKey> jobNamed(const std::string& text, const std::string& flagged, const std::string& current);

}  // namespace slaq::cli::flags
