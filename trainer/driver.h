// The driver: it owns the training, hands out its chunks to whichever workers are connected, and tells the
// world about the loss. Workers may join, leave and die at any time.
#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "trainer/address.h"
#include "trainer/metrics.h"
#include "trainer/problem.h"
#include "trainer/training.h"

namespace slaq::trainer {

struct DriverOptions {
  Problem problem;  // complete
  StopRule stop;
  Address listen;
  std::uint16_t metricsPort = 0;  // for who serves the metrics
  std::string history;            // a CSV file, none if empty
  Seconds linger{2};              // how long metrics stay up after the end
};

// Trains to the end and says how it ended. Invalid if the options cannot be honoured.
Result<Ending> runDriver(const DriverOptions& options, Metrics& metrics, spdlog::logger& log);

}  // namespace slaq::trainer
