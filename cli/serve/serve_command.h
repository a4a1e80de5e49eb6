// `slaq serve`: a queue of trainings on this machine.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::serve {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addServeCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::serve
