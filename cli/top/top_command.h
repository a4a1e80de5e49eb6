// `slaq top`: the TrainingJobs of a cluster, as a table that follows them.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
}

namespace slaq::cli::top {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addTopCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::top
