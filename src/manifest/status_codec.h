// Converts a TrainingJob's status to JSON and back, with the fields of the CRD.
#pragma once

#include <rapidjson/document.h>

#include "job/status.h"

namespace slaq::manifest {

// Reading ignores fields that are unknown or malformed.
JobStatus readStatus(const rapidjson::Value& object);
rapidjson::Value writeStatus(const JobStatus& status, rapidjson::Document::AllocatorType& allocator);

}  // namespace slaq::manifest
