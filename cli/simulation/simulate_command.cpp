#include "cli/simulation/simulate_command.h"

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "cli/flags/cluster_flags.h"
#include "cli/flags/constants_option.h"
#include "cli/flags/words.h"
#include "cli/jobs/change_lines.h"
#include "cli/output/format.h"
#include "cli/output/output_file.h"
#include "cli/simulation/simulate_report.h"
#include "cli/terminal/progress_bar.h"
#include "forecast/predictors/registry.h"

namespace slaq::cli::simulation {
namespace {

struct SimulateOptions {
  std::string workload;
  std::string policy = std::string(name(scheduler::Settings().policy));
  std::string predictor = scheduler::Settings().predictor;
  std::string constants;
  std::string price;
  std::string format = output::kJson;
  std::string series;
  std::string jobs;
  std::string changes;
  bool timing = false;
};

constexpr scheduler::ResizePrice kFree{.grow = Seconds(0), .shrink = Seconds(0), .horizon = Seconds(0)};

// "Free", "Configured", or seconds to grow, to shrink, and to pay within: "5,0,30".
std::optional<scheduler::ResizePrice> priceFrom(const std::string& text) {
  if (text == "Free") return kFree;
  if (text == "Configured") return scheduler::ResizePrice();
  std::vector<double> seconds;
  for (const auto& part : CLI::detail::split(text, ',')) {
    seconds.push_back(decimalFrom(part).value_or(-1));
    if (!(seconds.back() >= 0 && seconds.back() <= 3600)) return std::nullopt;
  }
  if (seconds.size() != 3 || seconds[2] <= seconds[0]) return std::nullopt;
  return scheduler::ResizePrice{Seconds(seconds[0]), Seconds(seconds[1]), Seconds(seconds[2])};
}

CLI::Validator resizePrice() {
  const auto check = [](const std::string& text) -> std::string {
    if (priceFrom(text)) return "";
    return "must be Free, Configured, or the seconds of a growth, of a shrink, and, more, within which they "
           "have to pay, such as 5,0,30, not \"" +
           text + "\"";
  };
  return CLI::Validator(check, "{Free,Configured}", "");
}

scheduler::Settings settingsFor(const SimulateOptions& options, const simulate::Workload& workload) {
  scheduler::Settings settings;
  settings.policy = scheduler::findPolicy(options.policy);
  settings.predictor = options.predictor;
  const bool free = std::ranges::all_of(workload.jobs, [](const simulate::SimulatedJob& job) {
    return job.pauses.grow == Seconds(0) && job.pauses.shrink == Seconds(0);
  });
  settings.price = priceFrom(options.price).value_or(free ? kFree : scheduler::ResizePrice());
  return settings;
}

// The files that are written while it runs; closed ones are not wanted.
struct Records {
  std::ofstream series;
  std::ofstream changes;
};

// As `slaq run --plain` tells them.
void writeChanges(std::ofstream& out, jobs::RunSnapshot& last, Seconds time,
                  const loop::EpochReport& report) {
  jobs::RunSnapshot snapshot{
      .policy = "", .age = time, .capacity = report.capacity, .jobs = jobs::rowsOf(report)};
  for (const auto& line : jobs::changeLines(last.jobs, snapshot)) out << line << '\n';
  last = std::move(snapshot);
}

Result<simulate::Outcome> simulateWith(const simulate::Workload& workload,
                                       const scheduler::Settings& settings,
                                       const forecast::FittedConstants& constants, bool timed,
                                       Records& records) {
  terminal::ProgressBar progress(workload.jobs.size(), "jobs");
  jobs::RunSnapshot last;
  const auto watch = [&](const simulate::EpochMoment& moment) {
    if (records.series.is_open()) records.series << seriesRow(moment);
    progress.show(moment.completed);
  };
  const auto tell = [&](Seconds time, const loop::EpochReport& report) {
    if (records.changes.is_open()) writeChanges(records.changes, last, time, report);
  };
  return runSimulation(
      workload, {.settings = settings, .constants = constants, .timed = timed, .watch = watch, .tell = tell});
}

// All that is printed and written of one outcome.
Result<void> tell(const simulate::Outcome& outcome, const scheduler::Settings& settings,
                  const SimulateOptions& options, Records& records, std::ofstream& jobs) {
  std::cout << (output::isForPeople(options.format)
                    ? outcomeTable(outcome, settings)
                    : output::inFormat(outcomeJson(outcome, settings), options.format));
  if (auto written = output::finish(records.series, options.series); !written) return written;
  if (auto written = output::finish(records.changes, options.changes); !written) return written;
  jobs << jobsCsv(outcome);
  return output::finish(jobs, options.jobs);
}

int runSimulation(const std::string& program, const SimulateOptions& options) {
  const auto workload = simulate::loadWorkload(options.workload);
  if (!workload) {
    std::cerr << workload.error().message << '\n';
    return flags::kMisused;
  }
  const auto constants = flags::constantsIn(options.constants);
  if (!constants) return flags::fail(program, constants.error(), flags::kMisused);
  auto series = output::outputFile(options.series, "--series");
  if (!series) return flags::fail(program, series.error(), flags::kMisused);
  auto jobs = output::outputFile(options.jobs, "--jobs");
  if (!jobs) return flags::fail(program, jobs.error(), flags::kMisused);
  auto changes = output::outputFile(options.changes, "--changes");
  if (!changes) return flags::fail(program, changes.error(), flags::kMisused);
  *series << seriesHeader();
  const scheduler::Settings settings = settingsFor(options, *workload);
  Records records{std::move(*series), std::move(*changes)};
  const auto outcome = simulateWith(*workload, settings, *constants, options.timing, records);
  if (!outcome) return flags::fail(program, outcome.error(), flags::kFailed);
  const auto told = tell(*outcome, settings, options, records, *jobs);
  return told ? 0 : flags::fail(program, told.error(), flags::kFailed);
}

}  // namespace

void addSimulateCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Run a workload in virtual time");
  command->add_option("workload", options->workload, "a YAML file with the jobs and the cores they share")
      ->required();
  command->add_option("--policy", options->policy, "who gets cores")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(scheduler::allPolicies())));
  command->add_option("--predictor", options->predictor, "how losses are forecast")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(forecast::predictorNames())));
  flags::addConstantsOption(*command, options->constants);
  command
      ->add_option(
          "--resize-price", options->price,
          "what a resize is taken to cost: Free, Configured as in production, or seconds of a growth, a "
          "shrink and the horizon, such as 5,0,30 (Free where the workload's resizes have no pause)")
      ->check(resizePrice());
  output::addOutputFlag(*command, options->format);
  command->add_option("--series", options->series, "a CSV file to write with one line for each epoch");
  command->add_option("--jobs", options->jobs, "a CSV file to write with one line for each job");
  command->add_option("--changes", options->changes,
                      "a text file to write with one line for each change of a job's workers, and why");
  command->add_flag("--timing", options->timing, "measure the decisions, too");
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runSimulation(program, *options); };
  });
}

}  // namespace slaq::cli::simulation
