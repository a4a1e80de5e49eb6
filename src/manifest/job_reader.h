// Reads a TrainingJob document into a value. It is the only reader of the resource, for the API server's JSON
// and for people's YAML.
#pragma once

#include <rapidjson/document.h>

#include <string_view>
#include <vector>

#include "job/job.h"
#include "job/validate.h"

namespace slaq::manifest {

// What the reader does with unknown fields.
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

}  // namespace slaq::manifest
