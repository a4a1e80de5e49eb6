// What a job's processes are to do, and what became of those before: enough for another program to go on with
// the processes that this one leaves.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace slaq::local::processes {

// What is known of the past of one process.
struct ProcessHistory {
  bool succeeded = false;
  int failures = 0;
  int failuresInARow = 0;
  std::string lastFailure = {};
  std::optional<std::string> impossible = {};
  pid_t ended = 0;  // the last process whose end is in this

  bool operator==(const ProcessHistory&) const = default;
};

struct JobGoals {
  bool started = false;
  bool suspended = false;
  bool over = false;
  bool isStarting = true;
  Workers desired = {};
  Cores each = {};                          // the requested cores of each worker
  std::optional<Mebibytes> gpuMemory = {};  // the most of a shared GPU's that was seen
  int driverPort = 0;
  int metricsPort = 0;
  std::optional<ProcessHistory> driver = {};
  std::vector<ProcessHistory> workers = {};  // by index

  bool operator==(const JobGoals&) const = default;
};

}  // namespace slaq::local::processes
