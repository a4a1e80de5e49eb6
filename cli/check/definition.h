// Compares a cluster's definition of TrainingJobs with the one of this version.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <vector>

namespace slaq::cli::check {

// The paths of fields, such as spec.workers.minReplicas, that this version's definition has and `schema`, the
// openAPIV3Schema of a cluster's TrainingJobs, has not. If a section is missing as a whole, only its own path
// is returned.
std::vector<std::string> missingFields(const rapidjson::Value& schema);

}  // namespace slaq::cli::check
