// `slaq validate`: checks manifests of TrainingJobs without a cluster.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::validate {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addValidateCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::validate
