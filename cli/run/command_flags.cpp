#include "cli/run/command_flags.h"

#include <CLI/CLI.hpp>

namespace slaq::cli::run {

void addCommandFlags(CLI::App& command, CommandDefaults& defaults) {
  command.add_option("--name", defaults.name, "the name of a command's job (after its program)");
  command.add_option("--max-cpu", defaults.maxCpu,
                     "the most cores of a command, such as 2 or 1500m (--cores)");
  command.add_option(
      "--metric", defaults.metric,
      "the name of the loss in what a command writes, such as val_loss (the best that is found)");
  command
      .add_option(
          "--from", defaults.lossFrom,
          "where a command writes its loss: file:PATH (CSV or JSON lines), tensorboard:DIR or mlflow:DIR "
          "(its output)")
      ->check(CLI::Validator(
          [](const std::string& text) {
            for (const char* kind : {"file:", "tensorboard:", "mlflow:"}) {
              if (text.starts_with(kind) && text != kind) return std::string();
            }
            return text == "output" ? std::string()
                                    : "must be output, file:PATH, tensorboard:DIR or mlflow:DIR, not " + text;
          },
          "SOURCE"));
  command.add_flag("--maximize", defaults.maximizes, "the metric of a command is to rise, such as accuracy");
}

}  // namespace slaq::cli::run
