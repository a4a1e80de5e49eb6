#include "cli/commands/commands.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <string_view>

#include "cli/adopt/adopt_command.h"
#include "cli/advise/advise_command.h"
#include "cli/check/check_command.h"
#include "cli/commands/called_name.h"
#include "cli/commands/help.h"
#include "cli/completion/completion_command.h"
#include "cli/explain/explain_command.h"
#include "cli/flags/cluster_flags.h"
#include "cli/logs/logs_command.h"
#include "cli/manifests/init_command.h"
#include "cli/output/output_file.h"
#include "cli/predict/predict_command.h"
#include "cli/report/report_command.h"
#include "cli/run/run_command.h"
#include "cli/serve/serve_command.h"
#include "cli/simulation/simulate_command.h"
#include "cli/submit/stop_command.h"
#include "cli/submit/submit_command.h"
#include "cli/top/top_command.h"
#include "cli/validate/validate_command.h"
#include "cli/version/version_command.h"
#include "cli/web/web_command.h"
#include "release/version.h"

namespace slaq::cli::commands {

namespace {

// The index of "--" in the command lines of run, init and submit, after which a program and its own options
// follow; argc if there is none.
int beginOfCommand(int argc, const char* const* argv) {
  const std::string_view subcommand = argc > 1 ? argv[1] : "";
  if (!takesCommand(subcommand)) return argc;
  const auto found =
      std::find_if(argv, argv + argc, [](const char* word) { return word == std::string_view("--"); });
  return static_cast<int>(found - argv);
}

}  // namespace

void addCommands(CLI::App& app, std::function<int()>& run, const std::vector<std::string>& words) {
  app.set_version_flag("--version", app.get_name() + " " + toString(release::thisBuild()));
  app.require_subcommand(1);
  orderHelp(app);  // before the commands, which take their formatter from here
  run::addRunCommand(app, run, words);
  manifests::addInitCommand(app, run, words);
  serve::addServeCommand(app, run);
  submit::addSubmitCommand(app, run, words);
  submit::addStopCommand(app, run);
  logs::addLogsCommand(app, run);
  predict::addPredictCommand(app, run);
  top::addTopCommand(app, run);
  web::addWebCommand(app, run);
  explain::addExplainCommand(app, run);
  check::addCheckCommand(app, run);
  advise::addAdviseCommand(app, run);
  adopt::addAdoptCommand(app, run);
  report::addReportCommand(app, run);
  simulation::addSimulateCommand(app, run);
  validate::addValidateCommand(app, run);
  completion::addCompletionCommand(app, run);
  version::addVersionCommand(app, run);
  addHelpCommand(app, run);
}

int runCommandLine(int argc, const char* const* argv) {
  CLI::App app("Quality-driven scheduling of training jobs.", calledName(argc > 0 ? argv[0] : ""));
  std::function<int()> run;
  const int own = beginOfCommand(argc, argv);
  const std::vector<std::string> words(argv + std::min(argc, own + 1), argv + argc);
  addCommands(app, run, words);
  if (argc > 1 && argv[1] == std::string_view("__complete"))
    return completion::printCompletions(app, {argv + 2, argv + argc});
  if (argc <= 1) {
    std::cout << app.help();
    return 0;
  }
  try {
    app.parse(own, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    return flags::fail(app.get_name(), {ErrorKind::Invalid, explained(app, error)}, flags::kMisused);
  }
  const int code = run();
  const auto written = output::finishStandardOutput();
  return written ? code : flags::fail(app.get_name(), written.error(), flags::kFailed);
}

}  // namespace slaq::cli::commands
