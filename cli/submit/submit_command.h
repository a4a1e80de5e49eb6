// `slaq submit`: a program, or manifests, as jobs of slaq serve.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::submit {

// Adds the subcommand. `run` is set to what is to be done if it is chosen; that gives the exit code. `words`:
// the command that follows --.
void addSubmitCommand(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words);

}  // namespace slaq::cli::submit
