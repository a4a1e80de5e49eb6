// `slaq check`: the problems that keep slaq from working on a cluster, and how to solve them.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::check {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addCheckCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::check
