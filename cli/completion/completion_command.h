// `slaq completion`: the scripts that make shells ask slaq for completions, and the answers that they get.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::completion {

// Prints the completions of the last word on the command line of `app`. Always returns 0, since a shell shows
// no errors.
int printCompletions(const CLI::App& app, const std::vector<std::string>& words);

// The script for bash, zsh or fish that asks `app` for completions.
std::string completionScript(const std::string& shell);

// Adds the subcommand `completion bash|zsh|fish`.
void addCompletionCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq::cli::completion
