// `slaq submit`: submits a program, or manifests, as jobs to slaq serve.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::submit {

// Adds the subcommand. If chosen, it sets `run` to a function that returns the exit code. `words`: the
// command that follows --.
void addSubmitCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words);

}  // namespace slaq::cli::submit
