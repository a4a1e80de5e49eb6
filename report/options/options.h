// The command line of slaq-report.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "report/output/output_reader.h"

namespace slaq::report {

struct Options {
  ReaderOptions reader;
  std::string file = {};  // that the program writes its loss to; empty: its output is read
  std::optional<int> port = {};
  bool isQuiet = false;
  std::string folder = {};  // that the program itself is to be copied to, instead of running a command
  std::vector<std::string> command;
};

struct Help {};

std::string helpText();

// `port`: what SLAQ_METRICS_PORT says. Invalid, with a sentence, if the arguments can't be used.
Result<std::variant<Options, Help>> readOptions(int argc, char* const* argv);

}  // namespace slaq::report
