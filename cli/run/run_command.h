// `slaq run`: runs the manifests of a cluster on this machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::run {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code.
void addRunCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words = {});

}  // namespace slaq::cli::run
