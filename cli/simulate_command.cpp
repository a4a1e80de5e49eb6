#include "cli/simulate_command.h"

#include <fstream>
#include <iostream>
#include <memory>

#include "cli/cluster_flags.h"
#include "cli/screen.h"
#include "cli/simulate_report.h"

namespace slaq {
namespace {

struct SimulateOptions {
  std::string workload;
  std::string policy = std::string(name(Settings().policy));
  std::string predictor = std::string(name(Settings().predictor));
  std::string prices;
  std::string format = "json";
  std::string series;
  bool timing = false;
};

// Those that a cluster can be run by, and what only a simulation knows.
std::vector<PolicyName> policies() {
  std::vector<PolicyName> all(kPolicies);
  all.push_back(PolicyName::Oracle);
  return all;
}

template <class Names>
std::vector<std::string> wordsOf(const Names& names) {
  std::vector<std::string> words;
  for (const auto each : names) words.emplace_back(name(each));
  return words;
}

PolicyName policyNamed(const std::string& word) {
  const auto all = policies();
  return *std::ranges::find(all, word, [](PolicyName each) { return name(each); });
}

Settings settingsFor(const SimulateOptions& options, const Workload& workload) {
  Settings settings;
  settings.policy = policyNamed(options.policy);
  settings.predictor = predictorFrom(options.predictor).value_or(settings.predictor);
  const ResizePauses& pauses = workload.pauses;
  const bool free = pauses.grow == Seconds(0) && pauses.shrink == Seconds(0);
  if (options.prices == "Free" || (options.prices.empty() && free)) {
    settings.price = {.grow = Seconds(0), .shrink = Seconds(0), .horizon = Seconds(0)};
  }
  return settings;
}

Result<Outcome> simulateWith(const SimulateOptions& options, const Workload& workload,
                             const Settings& settings, std::ofstream& series) {
  std::unique_ptr<RedrawnText> progress;
  if (isTerminal(stderr)) progress = std::make_unique<RedrawnText>(stderr);
  if (series.is_open()) series << seriesHeader();
  std::size_t shown = 0;
  const auto watch = [&](const EpochMoment& moment) {
    if (series.is_open()) series << seriesRow(moment);
    if (!progress || moment.completed == shown) return;
    shown = moment.completed;
    const double share = static_cast<double>(shown) / static_cast<double>(workload.jobs.size());
    progress->show(bar(share, 30, frameOf(stderr).style) + " " + std::to_string(shown) + " of " +
                   std::to_string(workload.jobs.size()) + " jobs\n");
  };
  auto outcome = simulate(workload, {.settings = settings, .timed = options.timing, .watch = watch});
  if (progress) progress->show("");
  return outcome;
}

int runSimulation(const std::string& program, const SimulateOptions& options) {
  const auto workload = loadWorkload(options.workload);
  if (!workload) {
    std::cerr << workload.error().message << '\n';
    return kMisused;
  }
  std::ofstream series;
  if (!options.series.empty()) {
    series.open(options.series);
    if (!series) {
      return fail(program, {ErrorKind::Invalid, options.series + ": can't be written"}, kMisused);
    }
  }
  const Settings settings = settingsFor(options, *workload);
  const auto outcome = simulateWith(options, *workload, settings, series);
  if (!outcome) return fail(program, outcome.error(), kFailed);
  std::cout << (options.format == "json" ? outcomeJson(*outcome, settings)
                                         : outcomeTable(*outcome, settings));
  return 0;
}

}  // namespace

void addSimulateCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Run a workload in virtual time");
  command->add_option("workload", options->workload, "a YAML file with the jobs and the cores they share")
      ->required();
  command->add_option("--policy", options->policy, "who gets cores")
      ->capture_default_str()
      ->check(CLI::IsMember(wordsOf(policies())));
  command->add_option("--predictor", options->predictor, "how losses are forecast")
      ->capture_default_str()
      ->check(CLI::IsMember(wordsOf(kPredictors)));
  command
      ->add_option("--resize-price", options->prices,
                   "what the scheduler takes a resize to cost at first: Free, or Configured as in production "
                   "(Free where the workload's resizes have no pause)")
      ->check(CLI::IsMember({"Free", "Configured"}));
  command->add_option("--format", options->format, "json or table")
      ->capture_default_str()
      ->check(CLI::IsMember({"json", "table"}));
  command->add_option("--series", options->series, "a CSV file to write with one line for each epoch");
  command->add_flag("--timing", options->timing, "measure the decisions, too");
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runSimulation(program, *options); };
  });
}

}  // namespace slaq
