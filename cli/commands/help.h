// Help without --help: `slaq help`, and suggestions for a line with mistakes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace slaq::cli::commands {

// Makes help the same each time. Without this, the library lists flags that exclude each other in the order
// of their addresses.
void orderHelp(CLI::App& app);

// Adds `help [COMMAND]`.
void addHelpCommand(CLI::App& app, std::function<int()>& run);

// True for run, init and submit, on whose command lines a program and its own flags follow after "--".
bool takesCommand(std::string_view command);

// "there is no command topp; did you mean top?" for an unknown command or flag. For other errors it is the
// message of the error.
std::string explained(const CLI::App& app, const CLI::ParseError& error);

}  // namespace slaq::cli::commands
