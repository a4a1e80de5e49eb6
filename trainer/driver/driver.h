// The driver: it owns the training, hands out its chunks to whichever workers are connected, and tells the
// world about the loss. Workers may join, leave and die at any time.
#pragma once

#include <spdlog/logger.h>

#include <cstdint>
#include <string>

#include "base/result.h"
#include "base/units.h"
#include "trainer/data/formats/formats.h"
#include "trainer/net/address.h"
#include "trainer/problem/problem.h"
#include "trainer/training/metrics.h"
#include "trainer/training/training.h"

namespace slaq::trainer::driver {

struct DriverOptions {
  problem::Problem problem;  // complete, but for the sizes of data from files
  data::formats::Files files;
  training::StopRule stop;
  net::Address listen;
  std::uint16_t metricsPort = 0;  // for who serves the metrics
  std::string history;            // a CSV file, none if empty
  std::string checkpoint;         // a file to go on from and to save to, none if empty
  Seconds checkpointEvery{30};    // at most, between two; at the end of an iteration
  Seconds linger{2};              // how long metrics stay up after the end
};

struct Departure {
  training::Ending ending = training::Ending::None;
  int signal = 0;  // SIGTERM or SIGINT, if that came before the end
};

// Trains to the end, or until a signal says to leave, and tells which. Invalid if the options cannot be
// honoured. SIGTERM and SIGINT are its own from then on.
Result<Departure> runDriver(const DriverOptions& options, training::Metrics& metrics, spdlog::logger& log);

}  // namespace slaq::trainer::driver
