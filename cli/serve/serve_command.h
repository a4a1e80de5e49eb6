// `slaq serve`: a queue of trainings on this machine.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::serve {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addServeCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::serve
