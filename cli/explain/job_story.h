// All that `slaq explain` has read about a job: plain values.
#pragma once

#include <string>
#include <vector>

#include "cli/cluster/training_cluster.h"
#include "cli/terminal/plot.h"

namespace slaq::cli::explain {

struct JobStory {
  kube::objects::StoredJob job;
  std::vector<cluster::JobEvent> events;     // the oldest first
  std::string eventsTrouble;                 // why they could not be read
  std::vector<terminal::CurvePoint> losses;  // ascending in time; empty if they could not be read
  Time now;
};

}  // namespace slaq::cli::explain
