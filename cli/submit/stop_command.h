// `slaq stop`: takes jobs away from slaq serve.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::submit {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addStopCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::submit
