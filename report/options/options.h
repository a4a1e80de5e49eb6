// The command line of slaq-report.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "report/output/output_reader.h"
#include "report/pattern/pattern.h"

namespace slaq::report {

// The source of the loss.
enum class Source {
  Output,
  File,         // a file of CSV or JSON lines
  TensorBoard,  // a directory of event files
  Mlflow,       // a directory of MLflow's file store
  Kubeflow,     // the program posts it by Kubeflow Trainer's protocol
};

struct Options {
  ReaderOptions reader;
  Source source = Source::Output;
  std::string path = {};                // of the file or the directory
  std::optional<Pattern> pattern = {};  // finds the loss in a line of the output
  std::optional<int> port = {};
  std::string record = {};  // a CSV file that gets each report
  bool isQuiet = false;
  std::string folder = {};  // copies slaq-report into this folder instead of running a command
  std::vector<std::string> command;
};

struct Help {};

// The name of a loss that an expression has found.
inline constexpr const char* kPatternName = "loss";

std::string helpText();

// `port`: the value of SLAQ_METRICS_PORT. Invalid, with a sentence, if the arguments can't be used.
Result<std::variant<Options, Help>> readOptions(int argc, char* const* argv);

}  // namespace slaq::report
