// The driver: it owns the training, hands out its chunks to whichever workers are connected, and tells the
// world about the loss. Workers may join, leave and die at any time.
#pragma once

#include <spdlog/logger.h>

#include "base/result.h"
#include "trainer/driver/driver_options.h"
#include "trainer/training/metrics.h"
#include "trainer/training/training.h"

namespace slaq::trainer::driver {

struct Departure {
  training::Ending ending = training::Ending::None;
  int signal = 0;  // SIGTERM or SIGINT, if that came before the end
};

// Trains to the end, or until a signal says to leave, and tells which. Invalid if the options cannot be
// honoured. SIGTERM and SIGINT are its own from then on.
Result<Departure> runDriver(const DriverOptions& options, training::Metrics& metrics, spdlog::logger& log);

}  // namespace slaq::trainer::driver
