// The loop of `slaq serve`: the jobs of a directory on this machine, until it is stopped. However it ends,
// the programs go on, and the next server of the directory takes them over.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "cli/jobs/job_rows.h"
#include "cli/machine/shared_resources.h"
#include "cli/serve/board.h"
#include "cli/store/serve_directory.h"
#include "local/cluster/local_cluster.h"
#include "scheduler/state/settings.h"

namespace slaq::cli::serve {

struct ServeSettings {
  store::ServeDirectory directory;
  scheduler::Settings scheduling;  // with a capacity
  machine::SharedResources shared;
  std::filesystem::path programs;  // a directory that is searched before $PATH
};

// The functions by which a server reaches its environment.
struct ServeSurroundings {
  const Clock& clock;
  std::function<Result<void>()> open;  // called once all jobs of the directory are on the board
  std::function<bool(Seconds)> wait;   // sleeps for this time; true if the server is to stop
  std::function<void(const jobs::RunSnapshot&)> show;
  std::function<void(const std::string&)> tell;               // gets a line about each problem
  std::function<void(const loop::EpochReport&)> report = {};  // may be empty
};

// Runs until it is stopped. The main thread must call it. It never frees the cluster, and the process must
// then end by _exit, so that no destructor ends the programs.
Result<void> runServer(const ServeSettings& settings, std::unique_ptr<local::cpu::CpuLimiter> limiter,
                       Board& board, const ServeSurroundings& surroundings);

}  // namespace slaq::cli::serve
