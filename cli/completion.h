// Completion of slaq's command line: what a word can become, and the scripts that make shells ask for it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "cli/cluster_flags.h"

namespace slaq {

// What else a shell completes with; the numbers are those of kubectl's protocol for plugins.
enum class Otherwise { Nothing = 4, Files = 0, Directories = 16 };

struct Completions {
  std::vector<std::string> words;  // each may have a tab and a description behind it
  Otherwise otherwise = Otherwise::Nothing;

  bool operator==(const Completions&) const = default;
};

// Names that only a cluster knows, asked for when they are needed; empty where it does not tell.
struct ClusterNames {
  std::function<std::vector<std::string>(const ClusterFlags&)> jobs;
  std::function<std::vector<std::string>(const ClusterFlags&)> namespaces;
};

// What the last of `words`, which may be empty, can become on the command line of `app`, its own name not
// among them.
Completions complete(const CLI::App& app, std::vector<std::string> words, const ClusterNames& names);

// One word a line, then ":" and the number of what else.
std::string toText(const Completions& completions);

// Does that for the words of a command line and prints it. Always 0: a shell shows no errors.
int printCompletions(const CLI::App& app, const std::vector<std::string>& words);

// The script for bash, zsh or fish that asks `app` for completions.
std::string completionScript(const std::string& shell);

// Adds the subcommand `completion bash|zsh|fish`.
void addCompletionCommand(CLI::App& app, std::function<int()>& run);

}  // namespace slaq
