// The worker: it knows the driver's address and learns the rest from the driver. It has two threads: one
// talks, the other computes, so that a long computation holds up no heartbeat.
#pragma once

#include <spdlog/logger.h>

#include <string>

#include "trainer/net/address.h"

namespace slaq::trainer::worker {

struct WorkerOptions {
  net::Address driver;
  std::string index;  // for the driver's log
  std::string job;    // the uid of its job, by which the driver knows its own workers
};

// Connects, and connects again whenever the driver is gone, until the driver says that the training is over.
void runWorker(const WorkerOptions& options, spdlog::logger& log);

}  // namespace slaq::trainer::worker
