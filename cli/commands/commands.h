// The whole command line: which subcommands there are and what comes of one line.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::commands {

// Adds all subcommands. `run` is set to what is to be done once the line is parsed. `words`: the command that
// follows --.
void addCommands(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words = {});

// Does what the line says. The exit code; 2 for a line that makes no sense.
int runCommandLine(int argc, const char* const* argv);

}  // namespace slaq::cli::commands
