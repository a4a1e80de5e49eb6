// `slaq explain`: why a job has the workers that it has, and where it is going.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::version {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addVersionCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::version
