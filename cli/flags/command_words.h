// The words of the command line: its commands and their flags.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::flags {

// All subcommands, in the order in which help shows them. They live as long as `app`.
std::vector<const CLI::App*> commandsOf(const CLI::App& app);

struct Flag {
  std::string word;  // "--namespace"
  std::string description;
};

// The long names of a command's flags.
std::vector<Flag> flagsOf(const CLI::App& command);

}  // namespace slaq::cli::flags
