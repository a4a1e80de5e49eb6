// The merge patch that writes a TrainingJob's status.
#pragma once

#include <string>

#include "job/status.h"
#include "kube/objects/training_job.h"

namespace slaq::kube::objects {

// The server refuses the patch if the job was changed or replaced since it was read. The precondition is the
// resource version: the status subresource of a custom resource ignores a uid. Fields that the status no
// longer has are removed. Conditions that need one get the address of their runbook, under `docsUrl`.
std::string statusPatch(const StoredJob& stored, JobStatus status, const std::string& docsUrl = "");

// True if the stored status is already equal.
bool statusReached(const StoredJob& stored, const JobStatus& status);

}  // namespace slaq::kube::objects
