// `slaq stop`: stops jobs of slaq serve and removes them.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::submit {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addStopCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::submit
