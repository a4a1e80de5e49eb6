// `slaq version`: the versions of this command and of the controller on a cluster.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::version {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addVersionCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::version
