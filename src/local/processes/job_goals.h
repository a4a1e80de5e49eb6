// The goals of a job's processes, and the ends of earlier ones: all that another program needs to go on with
// the processes that this one leaves.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/units.h"

namespace slaq::local::processes {

// The history of one process.
struct ProcessHistory {
  bool succeeded = false;
  int failures = 0;
  int failuresInARow = 0;
  std::string lastFailure = {};
  std::optional<std::string> impossible = {};
  pid_t ended = 0;  // the id of the last process whose end is counted here

  bool operator==(const ProcessHistory&) const = default;
};

struct JobGoals {
  bool started = false;
  bool suspended = false;
  bool over = false;
  bool isStarting = true;
  Workers desired = {};
  Cores each = {};                          // the requested cores of each worker
  std::optional<Mebibytes> gpuMemory = {};  // the most memory of a shared GPU that was measured
  int driverPort = 0;
  int metricsPort = 0;
  std::optional<ProcessHistory> driver = {};
  std::vector<ProcessHistory> workers = {};  // by index

  bool operator==(const JobGoals&) const = default;
};

}  // namespace slaq::local::processes
