// `slaq top`: the TrainingJobs of a cluster, as a table that follows them.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace slaq::cli::top {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addTopCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::top
