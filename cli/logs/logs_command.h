// `slaq logs`: what programs wrote that `slaq run` started as commands, or `slaq serve` as jobs.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::logs {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code.
void addLogsCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::logs
