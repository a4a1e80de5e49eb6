#include "cli/flags/command_words.h"

#include <CLI/CLI.hpp>

namespace slaq::cli::flags {

std::vector<const CLI::App*> commandsOf(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<Flag> flagsOf(const CLI::App& command) {
  std::vector<Flag> flags;
  for (const auto* option : command.get_options()) {
    for (const auto& name : option->get_lnames()) flags.push_back({"--" + name, option->get_description()});
  }
  return flags;
}

}  // namespace slaq::cli::flags
