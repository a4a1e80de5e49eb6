// What `slaq explain` works out about a job: how far its stop rules are, and which of its conditions need
// attention.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kube/objects/training_job.h"

namespace slaq::cli::explain {

// A stop rule and how far it is.
struct StopProgress {
  std::string rule;             // "95% of the loss reduction"
  std::string sofar;            // "62%"
  std::optional<double> share;  // done of it, 0..1
};

std::vector<StopProgress> stopsOf(const kube::objects::StoredJob& job, Time now);

// Conditions that are not as they are while all is well.
std::vector<Condition> notableConditions(const JobStatus& status);

}  // namespace slaq::cli::explain
