// The command line and the environment as values.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "trainer/dataset/export.h"
#include "trainer/driver/driver.h"
#include "trainer/worker/worker.h"

namespace slaq::trainer::options {

// What the user asked to be told, such as the help.
struct Text {
  std::string text;
};

using Command = std::variant<driver::DriverOptions, worker::WorkerOptions, dataset::ExportOptions, Text>;

using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Invalid, with one sentence, for what cannot be understood or honoured.
Result<Command> parseCommand(int argc, const char* const* argv, const Environment& environment);

}  // namespace slaq::trainer::options
