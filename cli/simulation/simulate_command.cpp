#include "cli/simulation/simulate_command.h"

#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>

#include "cli/flags/cluster_flags.h"
#include "cli/flags/compared_policy.h"
#include "cli/flags/constants_option.h"
#include "cli/flags/seconds_flag.h"
#include "cli/flags/trace_flags.h"
#include "cli/flags/words.h"
#include "cli/jobs/change_lines.h"
#include "cli/jobs/verdict.h"
#include "cli/output/format.h"
#include "cli/output/output_file.h"
#include "cli/output/page_file.h"
#include "cli/simulation/simulate_report.h"
#include "cli/terminal/progress_bar.h"
#include "forecast/predictors/registry.h"
#include "simulate/input/recorded_runs.h"

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
  std::string report;
  bool timing = false;
  bool compare = false;
  // These options are for a directory of tables.
  simulate::RecordedRuns recorded;
  std::string cores = toString(simulate::RecordedRuns().cores);
  double interarrival = simulate::RecordedRuns().interarrival.count();
  std::string mode = std::string(name(simulate::RecordedRuns().mode));
  std::string forDirectory;  // a flag for directories that was given; empty: none
};

constexpr scheduler::ResizePrice kFree{.grow = Seconds(0), .shrink = Seconds(0), .horizon = Seconds(0)};

// Reads "Free", "Configured", or the seconds to grow, to shrink, and of the horizon: "5,0,30".
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

// The files that are written during the simulation; closed ones are not wanted.
struct Records {
  std::ofstream series;
  std::ofstream changes;
  page::RunTimeline* timeline = nullptr;  // for a page
};

// Writes the changes in the form of `slaq run --plain`.
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
    if (records.timeline) records.timeline->add(page::momentOf(report));
  };
  return runSimulation(
      workload, {.settings = settings, .constants = constants, .timed = timed, .watch = watch, .tell = tell});
}

Result<simulate::Workload> workloadFor(const SimulateOptions& options) {
  std::error_code unreadable;
  if (!std::filesystem::is_directory(options.workload, unreadable)) {
    auto workload = simulate::loadWorkload(options.workload);
    if (!workload || options.forDirectory.empty()) return workload;
    return failure(
        ErrorKind::Invalid,
        options.forDirectory + ": is for a directory of tables of losses; write it into " + options.workload);
  }
  simulate::RecordedRuns runs = options.recorded;
  const auto cores = parseCores(options.cores);
  if (!cores || *cores < Cores(1000))
    return failure(ErrorKind::Invalid, "--cores: must be a number of cores, 1 at least, such as 16");
  runs.cores = *cores;
  runs.interarrival = Seconds(options.interarrival);
  runs.mode = *lossModeFrom(options.mode);
  return simulate::recordedWorkload(options.workload, runs);
}

// Writes all files about the outcome, in addition to the printed output.
Result<void> finish(const simulate::Outcome& outcome, const SimulateOptions& options, Records& records,
                    std::ofstream& jobs) {
  if (auto written = output::finish(records.series, options.series); !written) return written;
  if (auto written = output::finish(records.changes, options.changes); !written) return written;
  jobs << jobsCsv(outcome);
  return output::finish(jobs, options.jobs);
}

std::string textOf(const Simulated& run, const std::string& format) {
  return output::isForPeople(format) ? outcomeTable(run) : output::inFormat(outcomeJson(run), format);
}

std::string textOf(const Simulated& ours, const Simulated& others, const std::string& format) {
  return output::isForPeople(format) ? comparisonTable(ours, others)
                                     : output::inFormat(comparisonJson(ours, others), format);
}

// The data of a finished run for a page.
page::Run pageRunOf(const Simulated& run, page::RunTimeline timeline) {
  return {.policy = std::string(name(run.settings.policy)),
          .timeline = std::move(timeline),
          .ends = endsOf(run.outcome)};
}

// Simulates the workload under the policy, and under the compared one if there is one, and prints the
// outcome.
Result<void> simulateAndTell(const simulate::Workload& workload, const SimulateOptions& options,
                             const forecast::FittedConstants& constants, Records& records,
                             std::ofstream& jobs, page::Document& document) {
  scheduler::Settings settings = settingsFor(options, workload);
  page::RunTimeline timeline;
  records.timeline = options.report.empty() ? nullptr : &timeline;
  auto outcome = simulateWith(workload, settings, constants, options.timing, records);
  if (!outcome) return failure(outcome.error());
  const Simulated ours{settings, std::move(*outcome)};
  document.runs.push_back(pageRunOf(ours, std::exchange(timeline, {})));
  if (options.compare) {
    settings.policy = scheduler::findPolicy(flags::kComparedPolicy);
    Records none;
    none.timeline = records.timeline;
    auto other = simulateWith(workload, settings, constants, options.timing, none);
    if (!other) return failure(other.error());
    document.runs.push_back(pageRunOf({settings, *other}, std::move(timeline)));
    document.verdict = jobs::verdictOf(document.runs[0], document.runs[1]);
    std::cout << textOf(ours, Simulated{settings, std::move(*other)}, options.format);
  } else {
    std::cout << textOf(ours, options.format);
  }
  return finish(ours.outcome, options, records, jobs);
}

int runSimulation(const std::string& program, const SimulateOptions& options) {
  const auto compared = flags::checkCompared(options.compare, options.policy);
  if (!compared) return flags::fail(program, compared.error(), flags::kMisused);
  const auto workload = workloadFor(options);
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
  const auto report = output::PageFile::at(options.report);
  if (!report) return flags::fail(program, report.error(), flags::kMisused);
  Records records{std::move(*series), std::move(*changes)};
  page::Document document{.title = "simulate " + options.workload, .runs = {}, .isOver = true};
  const auto told = simulateAndTell(*workload, options, *constants, records, *jobs, document);
  if (!told) return flags::fail(program, told.error(), flags::kFailed);
  if (!report->isWanted()) return 0;
  const auto written = report->write(page::toJson(document));
  return written ? 0 : flags::fail(program, written.error(), flags::kFailed);
}

constexpr std::array kForDirectories = {"--cores",     "--interarrival", "--cpu-seconds", "--mode",
                                        "--iteration", "--loss",         "--job"};

void addRecordedFlags(CLI::App& command, SimulateOptions& options) {
  command.add_option("--cores", options.cores, "of a directory: cores that the jobs share")
      ->capture_default_str();
  command
      .add_option("--interarrival", options.interarrival,
                  "of a directory: seconds between the jobs' arrivals")
      ->capture_default_str()
      ->check(flags::secondsBetween(0, 86400));
  command
      .add_option("--cpu-seconds", options.recorded.cpuSeconds,
                  "of a directory: CPU time of an iteration, shared by all workers")
      ->capture_default_str()
      ->check(flags::secondsBetween(1e-6, 1e9));
  command.add_option("--mode", options.mode, "of a directory: whether the metric is to fall or to rise")
      ->capture_default_str()
      ->check(CLI::IsMember({name(LossMode::Minimize), name(LossMode::Maximize)}));
  flags::addTraceFlags(command, options.recorded.columns);
}

}  // namespace

void addSimulateCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Run a workload in virtual time");
  command
      ->add_option("workload", options->workload,
                   "a YAML file with the jobs and the cores they share, or a directory of tables of losses")
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
  output::addReportFlag(*command, options->report, "the simulation");
  command->add_flag("--timing", options->timing, "measure the decisions, too");
  command->add_flag("--compare", options->compare, "simulate the same jobs under Fair, too, and compare");
  addRecordedFlags(*command, *options);
  command->callback([&app, command, options, &run] {
    for (const char* flag : kForDirectories) {
      if (command->count(flag) > 0) options->forDirectory = flag;
    }
    run = [program = app.get_name(), options] { return runSimulation(program, *options); };
  });
}

}  // namespace slaq::cli::simulation
