#include "cli/manifests/command_flags.h"

#include <CLI/CLI.hpp>

#include "base/text.h"
#include "job/loss_from.h"
#include "job/validate.h"
#include "report/pattern/pattern.h"

namespace slaq::cli::manifests {
namespace {

std::string problemOfSource(const std::string& text) {
  for (const char* kind : {"file:", "tensorboard:", "mlflow:"}) {
    if (text.starts_with(kind) && text != kind) return "";
  }
  return text == "output" || text == "kubeflow"
             ? ""
             : "must be output, kubeflow, file:PATH, tensorboard:DIR or mlflow:DIR, not " + text;
}

// Does not limit the largest number of workers: the rules of manifests do.
std::string problemOfWorkers(const std::string& text) {
  const auto colon = text.find(':');
  const auto min = numberFrom<int>(text.substr(0, colon));
  const auto max = colon == std::string::npos ? std::nullopt : numberFrom<int>(text.substr(colon + 1));
  const bool isRange = min && max && 1 <= *min && *min <= *max;
  return isRange ? "" : "must be the least and the most workers, such as 1:4, not " + text;
}

std::string problemOfName(const std::string& text) {
  return isJobName(text)
             ? ""
             : "must be at most 45 of a-z, 0-9 and '-' with a letter first, such as my-train, not \"" + text +
                   "\"";
}

template <class Quantity>
std::string problemOf(const Result<Quantity>& read) {
  return read ? "" : read.error().message;
}

std::string problemOfCores(const std::string& text) { return problemOf(parseCores(text)); }
std::string problemOfMemory(const std::string& text) { return problemOf(parseMemory(text)); }

// Refuses two flags together if one of them would then have no effect.
void refuseBothWays(const CommandDefaults& defaults) {
  if (defaults.onGpu && !defaults.maxCpu.empty())
    throw CLI::ValidationError("--max-cpu",
                               "can't be given together with --gpu, which does not bound the CPU");
  if (defaults.pattern.empty()) return;
  const bool isOutput = defaults.lossFrom.empty() || defaults.lossFrom == "output";
  if (!isOutput)
    throw CLI::ValidationError("--pattern", "can't be given together with --from " + defaults.lossFrom +
                                                "; it is about lines of the output");
  if (!defaults.metric.empty())
    throw CLI::ValidationError("--pattern", "can't be given together with --metric; leave one of them out");
}

// slaq-report would find the mistake too, but only when the job starts.
std::string problemOfExpression(const std::string& pattern) {
  if (auto problem = problemOfPattern(pattern)) return *problem;
  return problemOf(report::Pattern::from(pattern));
}

}  // namespace

void addCommandFlags(CLI::App& command, CommandDefaults& defaults) {
  command.add_option("--name", defaults.name, "the name of a command's job (after its program)")
      ->check(CLI::Validator(problemOfName, "NAME"));
  command
      .add_option("--max-cpu", defaults.maxCpu,
                  "the most cores of a command, such as 2 or 1500m (--cores); with --workers the cores of "
                  "each (1)")
      ->check(CLI::Validator(problemOfCores, "CORES"));
  command
      .add_option("--retries", defaults.retries,
                  "how often a command that failed is started again without a new iteration in between (3)")
      ->check(CLI::Range(0, 1'000'000));
  command
      .add_option(
          "--workers", defaults.workers,
          "the fewest and the most workers that run the command, as torchrun can (one, whose CPU changes)")
      ->check(CLI::Validator(problemOfWorkers, "MIN:MAX"));
  command.add_option(
      "--metric", defaults.metric,
      "the name of the loss in what a command writes, such as val_loss (the best that is found)");
  command
      .add_option("--from", defaults.lossFrom,
                  "where a command writes its loss: file:PATH (CSV or JSON lines), tensorboard:DIR, "
                  "mlflow:DIR or kubeflow (its output)")
      ->check(CLI::Validator(problemOfSource, "SOURCE"));
  command
      .add_option("--pattern", defaults.pattern,
                  "a regular expression for lines of the output, with a group named loss, such as "
                  "'loss=(?<loss>\\S+)'")
      ->check(CLI::Validator(problemOfExpression, "RE"));
  command.add_flag("--gpu", defaults.onGpu, "a command has a GPU, and no bound of the CPU");
  command
      .add_option(
          "--gpu-memory", defaults.gpuMemory,
          "what a command takes of the memory of a GPU that all share, such as 20Gi (what was measured)")
      ->check(CLI::Validator(problemOfMemory, "MEMORY"));
  command.add_flag("--maximize", defaults.maximizes, "the metric of a command is to rise, such as accuracy");
  command.parse_complete_callback([&defaults] { refuseBothWays(defaults); });
}

}  // namespace slaq::cli::manifests
