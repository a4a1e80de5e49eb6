#include "cli/check/check_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "cli/check/check_report.h"
#include "cli/check/observe.h"
#include "cli/check/other_controllers.h"
#include "cli/flags/cluster_flags.h"
#include "cli/output/format.h"
#include "cli/terminal/terminal.h"

namespace slaq::cli::check {
namespace {

constexpr std::size_t kWidest = 110;

struct CheckOptions {
  flags::ClusterFlags cluster;
  std::string release;
  std::string format = output::kText;
};

int runCheck(const std::string& program, const CheckOptions& options) {
  const SystemClock clock;
  const auto access = flags::accessBy(options.cluster, clock);
  if (!access) return flags::fail(program, access.error(), flags::kMisused);
  cluster::TrainingCluster cluster(*access);
  const auto seen = observe(cluster, *access, clock, {options.cluster.ns, options.release});
  auto found = findings(seen);
  std::ranges::move(otherControllerFindings(seen), std::back_inserter(found));
  if (!output::isForPeople(options.format)) {
    std::cout << output::inFormat(checkJson(found), options.format);
  } else {
    terminal::Frame frame = terminal::frameOf(stdout);
    if (terminal::isTerminal(stdout)) frame.columns = std::min(frame.columns, kWidest);
    std::cout << checkReport(found, frame);
  }
  return haveFailed(found) ? flags::kFailed : 0;
}

}  // namespace

void addCheckCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Say what keeps slaq from its work on a cluster");
  flags::addClusterFlags(*command, options->cluster, "namespace of the controller (whichever has one)");
  command->add_option("--release", options->release, "Helm's release of the controller (whichever there is)");
  output::addOutputFlag(*command, options->format);
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runCheck(program, *options); };
  });
}

}  // namespace slaq::cli::check
