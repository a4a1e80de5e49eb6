// `slaq explain`: why a job has the workers that it has, and where it is going.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "job/job.h"

namespace CLI {
class App;
}

namespace slaq::cli::explain {

// The job that is meant by "JOB" or "NAMESPACE/JOB", where `flagged` is what --namespace says, if anything,
// and `current` the namespace otherwise. Invalid when both name one, and not the same.
Result<JobKey> jobNamed(const std::string& text, const std::string& flagged, const std::string& current);

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addExplainCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::explain
