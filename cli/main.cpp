// slaq: the command for people. Each subcommand is a file of its own beside this one.
#include <CLI/CLI.hpp>
#include <functional>
#include <iostream>

#include "cli/completion.h"
#include "cli/run_command.h"

int main(int argc, char** argv) {
  CLI::App app("Quality-driven scheduling of training jobs.", "slaq");
  app.set_version_flag("--version", "slaq " SLAQ_VERSION);
  app.require_subcommand(1);
  std::function<int()> run;
  slaq::addRunCommand(app, run);
  slaq::addCompletionCommand(app, run);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << "slaq: " << error.what() << "; see --help\n";
    return 2;
  }
  return run();
}
