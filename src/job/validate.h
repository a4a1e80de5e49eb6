// The rules that a TrainingJob must keep, the same for a cluster and for one machine. On a cluster the CRD's
// schema and CEL rules refuse the same things first. This check is for manifests that no API server has seen,
// and the last one for objects that were admitted by an older schema.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "job/job.h"

namespace slaq {

// One broken rule: where (a path such as "spec.workers.minReplicas") and a sentence that says what to write.
struct Violation {
  std::string path;
  std::string message;

  bool operator==(const Violation&) const = default;
};

// True if a TrainingJob can have this name: a DNS label of at most 45 characters with a letter first.
bool isJobName(const std::string& name);

// All broken rules, in the order of the document. Empty when the job can be scheduled. Capacity is counted in
// `resource`.
std::vector<Violation> validate(const TrainingJob& job, std::string_view resource = "cpu");

// Settings that are allowed but probably not meant: the path, and a sentence that says what to write instead.
// Capacity is counted in `resource`. REQUIRES: no rule is broken.
std::vector<Violation> hints(const TrainingJob& job, std::string_view resource);

// True if the name is a valid name of a metric. Such a name contains no character that is special in PromQL
// or in a regular expression.
bool isMetricName(std::string_view name);

}  // namespace slaq
