#include "cli/commands/commands.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <string_view>

#include "cli/advise/advise_command.h"
#include "cli/commands/called_name.h"
#include "cli/completion/completion_command.h"
#include "cli/explain/explain_command.h"
#include "cli/flags/cluster_flags.h"
#include "cli/output/output_file.h"
#include "cli/predict/predict_command.h"
#include "cli/run/run_command.h"
#include "cli/simulation/simulate_command.h"
#include "cli/top/top_command.h"

namespace slaq::cli::commands {

void addCommands(CLI::App& app, std::function<int()>& run) {
  app.set_version_flag("--version", app.get_name() + " " SLAQ_VERSION);
  app.require_subcommand(1);
  run::addRunCommand(app, run);
  predict::addPredictCommand(app, run);
  top::addTopCommand(app, run);
  explain::addExplainCommand(app, run);
  advise::addAdviseCommand(app, run);
  simulation::addSimulateCommand(app, run);
  completion::addCompletionCommand(app, run);
}

int runCommandLine(int argc, const char* const* argv) {
  CLI::App app("Quality-driven scheduling of training jobs.", calledName(argc > 0 ? argv[0] : ""));
  std::function<int()> run;
  addCommands(app, run);
  if (argc > 1 && argv[1] == std::string_view("__complete"))
    return completion::printCompletions(app, {argv + 2, argv + argc});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << app.get_name() << ": " << error.what() << "; see --help\n";
    return flags::kMisused;
  }
  const int code = run();
  const auto written = output::finishStandardOutput();
  return written ? code : flags::fail(app.get_name(), written.error(), flags::kFailed);
}

}  // namespace slaq::cli::commands
