// The log of an epoch: one line for each thing that was done or went wrong, as key=value pairs.
#pragma once

#include <spdlog/logger.h>

#include <string>
#include <string_view>

#include "loop/epoch_loop.h"

namespace slaq::telemetry {

// A value of a key=value line that may have spaces and quotes in it. Control characters come as \x1b and so
// on: what others wrote neither begins a line of its own nor commands a terminal.
std::string quoted(std::string_view text);

void logEpoch(spdlog::logger& log, const loop::EpochReport& report);

}  // namespace slaq::telemetry
