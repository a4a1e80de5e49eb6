// The log of an epoch: one line for each thing that was done or went wrong, as key=value pairs.
#pragma once

#include <spdlog/logger.h>

#include "loop/epoch_loop.h"

namespace slaq {

void logEpoch(spdlog::logger& log, const EpochReport& report);

}  // namespace slaq
