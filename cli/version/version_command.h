// `slaq version`: of this command, and of the controller on a cluster.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::version {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addVersionCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::version
