// TrainingJob documents into values and back: the one reader of the resource, for the API server's JSON and
// for people's YAML.
#pragma once

#include <rapidjson/document.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "job/status.h"
#include "job/validate.h"

namespace slaq {

// What must hold about fields that the reader does not know.
enum class UnknownFields { Ignore, Refuse };

struct ReadJob {
  TrainingJob job;
  std::vector<Violation>
      violations;  // wrong types, unknown fields (when refused), and the rules of validate()
};

// Reads one TrainingJob object. Never throws; whatever is wrong becomes a violation with its path. `resource`
// is what capacity is counted in: requests of it are what pods cost.
ReadJob readTrainingJob(const rapidjson::Value& object, UnknownFields unknown,
                        std::string_view resource = "cpu");

// status <-> JSON, as the CRD has it. Reading ignores what it does not know and what is malformed.
JobStatus readStatus(const rapidjson::Value& object);
rapidjson::Value writeStatus(const JobStatus& status, rapidjson::Document::AllocatorType& allocator);

// What else must hold of a job where it is to run.
using JobCheck = std::function<std::vector<Violation>(const TrainingJob&)>;

// A manifest file's documents, with the CRD's defaults and the namespace "default". Documents of other kinds
// than TrainingJob are refused. Errors are Invalid (Malformed, where it isn't YAML) with one line per
// mistake: "FILE:LINE: spec.workers.minReplicas: must be at least 1".
Result<std::vector<TrainingJob>> readManifest(const std::string& file, std::string_view text,
                                              const JobCheck& alsoCheck = {});

}  // namespace slaq
