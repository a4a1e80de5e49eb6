// `slaq logs`: the output of programs that `slaq run` started as commands, or `slaq serve` as jobs.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slaq::cli::logs {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addLogsCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::logs
