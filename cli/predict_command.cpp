#include "cli/predict_command.h"

#include <algorithm>
#include <iostream>
#include <memory>

#include "base/text_file.h"
#include "cli/cluster_flags.h"
#include "cli/predict_report.h"
#include "cli/screen.h"
#include "schedule/settings.h"

namespace slaq {
namespace {

Result<Trace> loadTrace(const std::string& file) {
  const auto text = readTextFile(file);
  if (!text) return failure(text.error());
  return readTrace(file, *text);
}

// Says on a terminal how far it is.
class Progress {
 public:
  explicit Progress(std::size_t files) : files_(files) {
    if (isTerminal(stderr)) place_ = std::make_unique<RedrawnText>(stderr);
  }
  ~Progress() {
    if (place_) place_->show("");
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::size_t done) {
    if (!place_) return;
    const double share = static_cast<double>(done) / static_cast<double>(files_);
    place_->show(bar(share, 30, frameOf(stderr).style) + " " + std::to_string(done) + " of " +
                 std::to_string(files_) + " traces\n");
  }

 private:
  std::size_t files_;
  std::unique_ptr<RedrawnText> place_;
};

Result<std::vector<WalkResult>> walkAll(const std::vector<std::string>& files, const Walk& walk) {
  std::vector<WalkResult> results;
  Progress progress(files.size());
  for (const auto& file : files) {
    const auto trace = loadTrace(file);
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
  const auto walk = readWalk(options);
  if (!walk) return fail(program, walk.error(), kMisused);
  const auto results = walkAll(options.files, *walk);
  if (!results) return fail(program, results.error(), kMisused);
  std::cout << (options.format == "json" ? predictionJson(*walk, *results)
                                         : predictionTable(*walk, *results));
  return 0;
}

}  // namespace

void addPredictCommand(CLI::App& app, std::function<int()>& run) {
  auto options = std::make_shared<PredictOptions>();
  options->predictor = name(Settings().predictor);
  options->convergence = name(Convergence::Auto);
  CLI::App* command = app.add_subcommand("predict", "Test a predictor on recorded losses");
  command->add_option("files", options->files, "CSV files of iteration,loss from iteration 0")->required();
  command->add_option("--predictor", options->predictor, "how losses are forecast")
      ->capture_default_str()
      ->check(CLI::IsMember(predictorNames()));
  command->add_option("--convergence", options->convergence, "what the jobs' loss.convergence says")
      ->capture_default_str()
      ->check(CLI::IsMember({"Auto", "Sublinear", "Superlinear", "NonConvex"}));
  command->add_option("--horizons", options->horizons, "iterations ahead")->capture_default_str();
  command
      ->add_option("--every", options->every,
                   "the predictor sees every so many-th iteration; A..B: at random gaps")
      ->capture_default_str();
  command->add_option("--noise", options->noise, "percent of Gaussian noise on what it sees")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 100.0));
  command->add_option("--seed", options->seed, "of noise and gaps")->capture_default_str();
  command->add_option("--format", options->format, "json or table")
      ->capture_default_str()
      ->check(CLI::IsMember({"json", "table"}));
  command->add_flag("--timing", options->timing, "measure the fits, too");
  command->callback([&app, options, &run] {
    run = [program = app.get_name(), options] { return runPrediction(program, *options); };
  });
}

}  // namespace slaq
