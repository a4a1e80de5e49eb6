// `slaq simulate`: runs a workload in virtual time under one policy, and measures how fast its losses fell.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::simulation {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addSimulateCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::simulation
