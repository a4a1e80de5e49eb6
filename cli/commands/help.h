// Help that was not asked for with --help: `slaq help`, and what was probably meant by a line that makes no
// sense.
#pragma once

#include <functional>
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace slaq::cli::commands {

// Adds `help [COMMAND]`.
// Makes help the same each time: the library names the flags that exclude another one in the order of their
// addresses.
void orderHelp(CLI::App& app);

void addHelpCommand(CLI::App& app, std::function<int()>& run);

// "there is no command topp; did you mean top?"; for anything but an unknown command or flag, what the error
// says.
std::string explained(const CLI::App& app, const CLI::ParseError& error);

}  // namespace slaq::cli::commands
