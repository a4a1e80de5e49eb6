// Whether a cluster's definition of TrainingJobs is the one of this version.
#pragma once

#include <rapidjson/document.h>

#include <string>
#include <vector>

namespace slaq::cli::check {

// The paths of the fields, such as spec.workers.minReplicas, that this version's definition has and `schema`,
// the openAPIV3Schema of a cluster's TrainingJobs, has not. Of a section that is absent altogether, only its
// own.
std::vector<std::string> missingFields(const rapidjson::Value& schema);

}  // namespace slaq::cli::check
