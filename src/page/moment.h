// What a timeline is told of one moment: an epoch of the loop, or a look at a cluster.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/status.h"
#include "loop/epoch_loop.h"
#include "page/outlook.h"

namespace slaq::page {

// One job then. What it refers to lives as long as the moment.
struct Sighting {
  JobKey key;
  Time created;
  LossMode mode = LossMode::Minimize;
  Workers most;  // that it may have
  Workers ready;
  Cores cores;  // that its pods hold, as far as is known: its driver's and those about to end included
  std::optional<Cores> coresEach = {};  // of each worker, where it scales by CPU
  const JobStatus& status;
  std::string reason = {};  // of its state, where the status has no decision
  // Its forecast then, in times since the run began; called only where it is kept.
  std::function<std::optional<Outlook>(Time began)> outlook = [](Time) { return std::nullopt; };
};

struct Moment {
  Time time;
  std::optional<Cores> capacity;
  std::optional<double> price;  // normalized loss per core-second
  std::vector<Sighting> jobs;   // sorted by key
};

// The report outlives the moment.
Moment momentOf(const loop::EpochReport& report);

}  // namespace slaq::page
