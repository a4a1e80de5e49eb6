// `slaq check`: what keeps slaq from its work on a cluster, and what mends it.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::check {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addCheckCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::check
