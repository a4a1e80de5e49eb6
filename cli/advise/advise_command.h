// `slaq advise`: the best number of workers for a training.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::advise {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addAdviseCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::advise
