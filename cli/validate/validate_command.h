// `slaq validate`: whether manifests of TrainingJobs are right, without a cluster.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::validate {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addValidateCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::validate
