// Completion of slaq's command line: the possible words under the cursor.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/flags/cluster_flags.h"

namespace CLI {
class App;
}

namespace slaq::cli::completion {

// Other completions that the shell itself makes; the numbers are those of kubectl's protocol for plugins.
enum class Otherwise { Nothing = 4, Files = 0, Directories = 16 };

struct Completions {
  std::vector<std::string> words;  // each may be followed by a tab and a description
  Otherwise otherwise = Otherwise::Nothing;

  bool operator==(const Completions&) const = default;
};

// Names that only a cluster knows. They are asked for when they are needed, and empty if the cluster gives
// none.
struct ClusterNames {
  std::function<std::vector<std::string>(const flags::ClusterFlags&)> jobs;
  std::function<std::vector<std::string>(const flags::ClusterFlags&)> namespaces;
};

// Returns the completions of the last of `words`, which may be empty, on the command line of `app`. `words`
// does not contain the name of `app`.
Completions complete(const CLI::App& app, std::vector<std::string> words, const ClusterNames& names);

// One word on each line, then ":" and the number of `otherwise`.
std::string toText(const Completions& completions);

}  // namespace slaq::cli::completion
