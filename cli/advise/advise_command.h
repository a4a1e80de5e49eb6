// `slaq advise`: how many workers a training is best run with.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::advise {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addAdviseCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::advise
