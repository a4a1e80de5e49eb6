// `slaq explain`: why a job has its number of workers, and what is forecast for it.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::explain {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addExplainCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::explain
