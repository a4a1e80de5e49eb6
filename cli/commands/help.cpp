#include "cli/commands/help.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <set>
#include <sstream>

#include "base/nearest.h"
#include "cli/flags/cluster_flags.h"
#include "cli/flags/command_words.h"

namespace slaq::cli::commands {
namespace {

std::vector<std::string> commandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* each : flags::commandsOf(app)) names.push_back(each->get_name());
  return names;
}

std::vector<std::string> flagNames(const CLI::App& command) {
  std::vector<std::string> names;
  for (const auto& each : flags::flagsOf(command)) names.push_back(each.word);
  return names;
}

// `command`: its help lists the valid words.
std::string unknown(const std::string& what, const std::string& word, const std::vector<std::string>& known,
                    const std::string& command) {
  const auto meant = nearest(word, known);
  return "there is no " + what + " " + word +
         (meant ? "; did you mean " + *meant + "? See " : std::string("; see ")) + command + " --help";
}

std::string unknownCommand(const CLI::App& app, const std::string& word) {
  return unknown("command", word, commandNames(app), app.get_name());
}

int runHelp(const CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands([&](const CLI::App* each) { return each->get_name() == name; });
  const CLI::App* command = name.empty() ? &app : all.empty() ? nullptr : all.front();
  if (!command)
    return flags::fail(app.get_name(), {ErrorKind::Invalid, unknownCommand(app, name)}, flags::kMisused);
  // app.help() would print the help of the chosen command, which is `help` itself.
  std::cout << command->get_formatter()->make_help(
      command, name.empty() ? app.get_name() : app.get_name() + " " + name, CLI::AppFormatMode::Normal);
  return 0;
}

class OrderedFormatter final : public CLI::Formatter {
 public:
  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string text = Formatter::make_option_opts(option);
    const std::string heading = " " + get_label("Excludes") + ":";
    const auto begin = text.find(heading);
    if (begin == std::string::npos) return text;
    std::set<std::string> names;  // so that they come last
    std::istringstream in(text.substr(begin + heading.size()));
    for (std::string name; in >> name;) names.insert(name);
    std::string ordered = text.substr(0, begin) + heading;
    for (const auto& name : names) ordered += " " + name;
    return ordered;
  }
};

}  // namespace

void orderHelp(CLI::App& app) { app.formatter(std::make_shared<OrderedFormatter>()); }

void addHelpCommand(CLI::App& app, std::function<int()>& run) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("help", "Print the help of a command");
  command->add_option("command", *name, "one of the commands");
  command->callback([&app, name, &run] { run = [&app, name] { return runHelp(app, *name); }; });
}

bool takesCommand(std::string_view command) {
  return command == "run" || command == "init" || command == "submit";
}

std::string explained(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const bool isOfTheCommand = !chosen.empty() && app.remaining().empty();
  const CLI::App& command = isOfTheCommand ? *chosen.front() : app;
  const std::string called = app.get_name() + (isOfTheCommand ? " " + command.get_name() : "");
  const std::string separator =
      isOfTheCommand && takesCommand(command.get_name()) ? "; a program and its own flags come after --" : "";
  const auto words = command.remaining();
  if (words.empty()) return std::string(error.what()) + "; see " + called + " --help";
  const std::string word = words.front().substr(0, words.front().find('='));
  if (word.starts_with("-")) return unknown("flag", word, flagNames(command), called) + separator;
  if (!isOfTheCommand) return unknownCommand(app, word);
  return "\"" + word + "\" is one argument too many; see " + called + " --help" + separator;
}

}  // namespace slaq::cli::commands
