// `slaq init`: writes the manifest for a command.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::manifests {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code. `words`: the
// command that follows --.
void addInitCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words = {});

}  // namespace slaq::cli::manifests
