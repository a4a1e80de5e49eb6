// A timeline's input for one moment: an epoch of the loop, or a look at a cluster.
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

// One job at that moment. Everything that it refers to lives as long as the moment.
struct Sighting {
  JobKey key;
  Time created;
  LossMode mode = LossMode::Minimize;
  Workers most;  // the most that it may have
  Workers ready;
  Cores cores;  // held by its pods, as far as is known: those of its driver and of ending pods included
  std::optional<Cores> coresEach = {};  // of each worker, where it scales by CPU
  const JobStatus& status;
  std::string reason = {};  // of its state, where the status has no decision
  // Its forecast at that moment, with times since the run began; called only if the forecast is kept.
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
