// Completion of slaq's command line in shells.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace slaq {

// A script for bash that completes the subcommands of `app`, their flags and file names.
std::string bashCompletion(const CLI::App& app);
// The same for zsh.
std::string zshCompletion(const CLI::App& app);

// Adds the subcommand `completion bash|zsh`.
void addCompletionCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq
