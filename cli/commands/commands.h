// The whole command line: the subcommands, and the execution of one line.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace slaq::cli::commands {

// Adds all subcommands. Parsing sets `run` to the function of the chosen one. `words`: the command that
// follows --.
void addCommands(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words = {});

// Carries out the line. Returns the exit code, which is 2 for a line with mistakes.
int runCommandLine(int argc, const char* const* argv);

}  // namespace slaq::cli::commands
