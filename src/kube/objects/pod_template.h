// The user's pod template with slaq's additions: labels, the stable name in the Service's domain and the
// environment of the trainer. Everything else stays as the user wrote it.
#pragma once

#include <rapidjson/document.h>

#include "job/job.h"
#include "kube/objects/child.h"

namespace slaq::kube::objects {

rapidjson::Value ownersLabels(const TrainingJob& job, Role role,
                              rapidjson::Document::AllocatorType& allocator);

// REQUIRES: the job has no violations, and has a driver if the role is Driver.
rapidjson::Value podTemplate(const TrainingJob& job, Role role,
                             rapidjson::Document::AllocatorType& allocator);

}  // namespace slaq::kube::objects
