#include "cli/commands.h"

#include <iostream>
#include <string_view>

#include "cli/called_name.h"
#include "cli/cluster_flags.h"
#include "cli/completion.h"
#include "cli/explain_command.h"
#include "cli/output_file.h"
#include "cli/predict_command.h"
#include "cli/run_command.h"
#include "cli/simulate_command.h"
#include "cli/top_command.h"

namespace slaq {

void addCommands(CLI::App& app, std::function<int()>& run) {
  app.set_version_flag("--version", app.get_name() + " " SLAQ_VERSION);
  app.require_subcommand(1);
  addRunCommand(app, run);
  addPredictCommand(app, run);
  addTopCommand(app, run);
  addExplainCommand(app, run);
  addSimulateCommand(app, run);
  addCompletionCommand(app, run);
}

int runCommandLine(int argc, const char* const* argv) {
  CLI::App app("Quality-driven scheduling of training jobs.", calledName(argc > 0 ? argv[0] : ""));
  std::function<int()> run;
  addCommands(app, run);
  if (argc > 1 && argv[1] == std::string_view("__complete"))
    return printCompletions(app, {argv + 2, argv + argc});
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    std::cerr << app.get_name() << ": " << error.what() << "; see --help\n";
    return kMisused;
  }
  const int code = run();
  const auto written = finishStandardOutput();
  return written ? code : fail(app.get_name(), written.error(), kFailed);
}

}  // namespace slaq
