// What `slaq run` is asked to do: the command line's words, and the jobs that its manifests hold, checked for
// this machine.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "local/local_cluster.h"
#include "schedule/settings.h"

namespace slaq {

struct RunOptions {
  std::vector<std::string> files;
  std::string cores;  // a quantity; empty: this machine's
  std::string policy = std::string(name(Settings().policy));
  std::string predictor = Settings().predictor;
  bool compare = false;
  double interarrival = 0;
  double epoch = 3;
  std::string logs;
  std::string losses;  // a CSV file to write
  bool plain = false;
};

// What a run is asked to do, once it makes sense.
struct RunRequest {
  std::vector<ArrivingJob> jobs;
  Cores capacity;
  PolicyName policy = Settings().policy;
};

// The words that --policy takes.
std::vector<std::string> policyNames();

// The jobs of all files, checked for this machine. Invalid with one line per mistake.
Result<RunRequest> readRequest(const RunOptions& options, Cores machine);

}  // namespace slaq
