// The PodGroup of a job (scheduling.k8s.io/v1beta1). The scheduler of Kubernetes binds the least number of
// its pods together or not at all, where the feature gate GenericWorkload is on (Kubernetes 1.37, off by
// default). Pure functions from values to JSON text.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "job/job.h"

namespace slaq::kube::objects {

struct Gang {
  int minCount = 1;        // pods that are bound together, the driver's included
  bool hasDriver = false;  // the driver's pod belongs to it
  std::string priorityClass;

  bool operator==(const Gang&) const = default;
};

// The job's minimum of workers, and its driver if `mayHaveDriver`. All pods of a group must have one priority
// and one scheduler, so a driver with another one is left out. Empty if the workers have a group of their
// own, or evictionResponders, which pods of a group cannot have. `start` is the number of workers that the
// job starts with. REQUIRES: the job has its templates' documents.
std::optional<Gang> gangOf(const TrainingJob& job, Workers start, bool mayHaveDriver = true);

// The body of a POST request. The group has the job's name, as the Service has.
std::string podGroupBody(const TrainingJob& job, const Gang& gang);

int minCountOf(const rapidjson::Value& podGroup);

// The merge patch that sets the least number of pods. The server refuses it if the group was replaced since
// it was read.
std::string minCountPatch(const rapidjson::Value& podGroup, int minCount);

}  // namespace slaq::kube::objects
