// The TrainingJobs of a manifest file, as people write it for kubectl.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "job/validate.h"

namespace slaq::manifest {

// A further check of a job for the place where it will run.
using JobCheck = std::function<std::vector<Violation>(const TrainingJob&)>;

// A job of a manifest, and its object there as JSON, without defaults.
struct ManifestJob {
  TrainingJob job;
  std::string document;
  bool hasOwnName = true;  // false: metadata.generateName gave it a new one at this reading
  std::string resource;    // in which its size is counted
};

// The TrainingJobs among a manifest file's documents, with the CRD's defaults and the namespace "default".
// `resource` is what capacity is counted in; where it is empty, that is what the workers request: CPU, or an
// extended resource where they request no CPU. Errors are Invalid (Malformed, where it isn't YAML) with one
// line per mistake: "FILE:LINE: spec.workers.minReplicas: must be at least 1".
Result<std::vector<TrainingJob>> readManifest(const std::string& file, std::string_view text,
                                              std::string_view resource = {}, const JobCheck& alsoCheck = {});
// The same, with their documents.
Result<std::vector<ManifestJob>> readManifestJobs(const std::string& file, std::string_view text,
                                                  std::string_view resource = {},
                                                  const JobCheck& alsoCheck = {});

}  // namespace slaq::manifest
