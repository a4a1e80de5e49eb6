// Rules of Kubernetes about parts of a pod template that must fit one another, which no schema can say.
// Without a cluster they are all that tells of such a mistake; on one the API server judges the Job that is
// made of the template.
#pragma once

#include <rapidjson/document.h>

#include <vector>

#include "job/validate.h"

namespace slaq::manifest::pods {

// Returns what does not fit in the templates of the workers and the driver. It passes over values of a wrong
// type, of which the schema tells.
std::vector<Violation> ruleViolations(const rapidjson::Value& trainingJob);

}  // namespace slaq::manifest::pods
