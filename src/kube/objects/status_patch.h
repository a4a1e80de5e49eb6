// The merge patch that makes a TrainingJob's status what the loop says.
#pragma once

#include <string>

#include "job/status.h"
#include "kube/objects/training_job.h"

namespace slaq::kube::objects {

// Refused by the server if the job was changed or replaced since it was read: a version is all that the
// status subresource of a custom resource checks, a uid it ignores. What the status no longer has is removed.
std::string statusPatch(const StoredJob& stored, const JobStatus& status);

// True when the stored status reads the same already.
bool statusReached(const StoredJob& stored, const JobStatus& status);

}  // namespace slaq::kube::objects
