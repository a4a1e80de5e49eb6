// Finds the job that a command line names.
#pragma once

#include <string>

#include "base/result.h"
#include "job/job.h"

namespace slaq::cli::flags {

// The job that "JOB" or "NAMESPACE/JOB" names. `flagged` is the value of --namespace, if it was given, and
// `current` the namespace otherwise. Invalid if the text and the flag give different namespaces.
Result<JobKey> jobNamed(const std::string& text, const std::string& flagged, const std::string& current);

}  // namespace slaq::cli::flags
