// The facts that `slaq explain` derives about a job: the progress of its stop rules, and the conditions that
// need attention.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kube/objects/training_job.h"

namespace slaq::cli::explain {

// A stop rule and its progress.
struct StopProgress {
  std::string rule;             // "95% of the loss reduction"
  std::string sofar;            // "62%"
  std::optional<double> share;  // the part that is done, 0..1
};

std::vector<StopProgress> stopsOf(const kube::objects::StoredJob& job, Time now);

// The conditions that show a problem or a hint.
std::vector<Condition> notableConditions(const JobStatus& status);

}  // namespace slaq::cli::explain
