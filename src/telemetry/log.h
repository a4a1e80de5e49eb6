// The log of an epoch: one line for each thing that was done or went wrong, as key=value pairs.
#pragma once

#include <spdlog/logger.h>

#include <string>
#include <string_view>

#include "loop/epoch_loop.h"

namespace slaq::telemetry {

// Quotes a value of a key=value line that may contain spaces and quotes. Control characters become \x1b and
// so on, so that text from others can neither begin a line nor send commands to a terminal.
std::string quoted(std::string_view text);

void logEpoch(spdlog::logger& log, const loop::EpochReport& report);

}  // namespace slaq::telemetry
