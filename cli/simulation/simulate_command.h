// `slaq simulate`: a workload in virtual time under one policy, and how fast its losses fell.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::simulation {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addSimulateCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::simulation
