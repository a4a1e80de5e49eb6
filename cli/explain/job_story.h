// All that `slaq explain` tells about a job, as it was read: plain values.
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
  std::vector<terminal::CurvePoint> losses;  // ascending in time; empty where they are not to be had
  Time now;
};

}  // namespace slaq::cli::explain
