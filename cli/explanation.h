// Why a job has what it has, in words and small pictures. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/grid.h"
#include "cli/plot.h"
#include "cli/training_cluster.h"

namespace slaq {

struct JobStory {
  kube::objects::StoredJob job;
  std::vector<JobEvent> events;    // the oldest first
  std::string eventsTrouble;       // why they could not be read
  std::vector<CurvePoint> losses;  // ascending in time; empty where they are not to be had
  Time now;
};

// A stop rule and how far it is.
struct StopProgress {
  std::string rule;             // "95% of the loss reduction"
  std::string sofar;            // "62%"
  std::optional<double> share;  // done of it, 0..1
};

std::vector<StopProgress> stopsOf(const kube::objects::StoredJob& job, Time now);

// Conditions that are not as they are while all is well.
std::vector<Condition> notableConditions(const JobStatus& status);

// The page that `slaq explain` prints.
std::string explanation(const JobStory& story, const Frame& frame);

// The same as JSON.
std::string explanationJson(const JobStory& story);

}  // namespace slaq
