#include "cli/predict/predict_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "cli/flags/cluster_flags.h"
#include "cli/flags/constants_option.h"
#include "cli/flags/trace_flags.h"
#include "cli/flags/words.h"
#include "cli/output/format.h"
#include "cli/output/page_file.h"
#include "cli/predict/predict_report.h"
#include "cli/terminal/progress_bar.h"
#include "forecast/predictors/registry.h"
#include "scheduler/state/settings.h"

namespace slaq::cli::predict {
namespace {

Result<std::vector<WalkResult>> walkAll(const std::vector<std::string>& files,
                                        const simulate::TraceColumns& columns, const Walk& walk) {
  std::vector<WalkResult> results;
  terminal::ProgressBar progress(files.size(), "traces");
  for (const auto& file : files) {
    const auto trace = simulate::loadTrace(file, columns);
    if (!trace) return failure(trace.error());
    results.push_back(walkAlong(file, *trace, walk));
    progress.show(results.size());
  }
  const bool any = std::ranges::any_of(results, [](const auto& each) { return each.forecasts > 0; });
  if (any) return results;
  return failure(ErrorKind::Invalid,
                 "no trace is long enough to forecast anything; give traces of more than " +
                     std::to_string(kFirstForecast + walk.horizons.back()) +
                     " iterations, or shorter --horizons");
}

int runPrediction(const std::string& program, const PredictOptions& options) {
  auto walk = readWalk(options);
  if (!walk) return flags::fail(program, walk.error(), flags::kMisused);
  const auto constants = flags::constantsIn(options.constants);
  if (!constants) return flags::fail(program, constants.error(), flags::kMisused);
  walk->constants = *constants;
  const auto report = output::PageFile::at(options.report);
  if (!report) return flags::fail(program, report.error(), flags::kMisused);
  const auto results = walkAll(options.files, options.columns, *walk);
  if (!results) return flags::fail(program, results.error(), flags::kMisused);
  std::cout << (output::isForPeople(options.format)
                    ? predictionTable(*walk, *results)
                    : output::inFormat(predictionJson(*walk, *results), options.format));
  if (!report->isWanted()) return 0;
  const auto written = report->write(predictionDocument(*walk, *results));
  return written ? 0 : flags::fail(program, written.error(), flags::kFailed);
}

}  // namespace

void addPredictCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<PredictOptions>();
  options->mode = name(LossMode::Minimize);
  options->convergence = name(Convergence::Auto);
  CLI::App* command = app.add_subcommand("predict", "Test a predictor on recorded losses");
  command->add_option("files", options->files, "CSV files of iterations and losses")->required();
  flags::addTraceFlags(*command, options->columns);
  command->add_option("--predictor", options->predictor, "how losses are forecast")
      ->capture_default_str()
      ->check(CLI::IsMember(flags::wordsOf(forecast::predictorNames())));
  flags::addConstantsOption(*command, options->constants);
  command->add_option("--mode", options->mode, "what the jobs' loss.mode says")
      ->capture_default_str()
      ->check(CLI::IsMember({"Minimize", "Maximize"}));
  command->add_option("--convergence", options->convergence, "what the jobs' loss.convergence says")
      ->capture_default_str()
      ->check(CLI::IsMember({"Auto", "Sublinear", "Superlinear", "NonConvex"}));
  command->add_option("--horizons", options->horizons, "iterations ahead")->capture_default_str();
  command
      ->add_option("--every", options->every,
                   "N: the predictor sees every N-th iteration; A..B: at random gaps")
      ->capture_default_str();
  command->add_option("--noise", options->noise, "percent of Gaussian noise on what it sees")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of noise and gaps")->capture_default_str();
  output::addOutputFlag(*command, options->format);
  output::addReportFlag(*command, options->report, "the losses and their forecasts");
  command->add_flag("--timing", options->timing, "measure the fits, too");
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runPrediction(program, *options); };
  });
}

}  // namespace slaq::cli::predict
