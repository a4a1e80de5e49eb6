// Completion of slaq's command line: what the word under the cursor can become.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/flags/cluster_flags.h"

namespace CLI {
class App;
}

namespace slaq::cli::completion {

// What else a shell completes with; the numbers are those of kubectl's protocol for plugins.
enum class Otherwise { Nothing = 4, Files = 0, Directories = 16 };

struct Completions {
  std::vector<std::string> words;  // each may have a tab and a description behind it
  Otherwise otherwise = Otherwise::Nothing;

  bool operator==(const Completions&) const = default;
};

// Names that only a cluster knows, asked for when they are needed; empty where it does not tell.
struct ClusterNames {
  std::function<std::vector<std::string>(const flags::ClusterFlags&)> jobs;
  std::function<std::vector<std::string>(const flags::ClusterFlags&)> namespaces;
};

// What the last of `words`, which may be empty, can become on the command line of `app`, its own name not
// among them.
Completions complete(const CLI::App& app, std::vector<std::string> words, const ClusterNames& names);

// One word a line, then ":" and the number of what else.
std::string toText(const Completions& completions);

}  // namespace slaq::cli::completion
