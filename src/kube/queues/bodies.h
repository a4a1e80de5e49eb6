// The bodies of slaq's writes of Workloads, as JSON text. Pure.
#pragma once

#include <rapidjson/document.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "kube/queues/workload.h"

namespace slaq::kube::queues {

// The body of a POST request for a Workload of this name, for the driver and this number of workers. It
// replaces `replaced` if that is given, in the same queue. `priority` is that of the job's
// WorkloadPriorityClass. `reportImage` is the image that slaq-report comes from, if spec.loss.from is given.
// REQUIRES: the job has its templates' documents.
std::string workloadBody(const TrainingJob& job, const std::string& name, Workers workers,
                         std::int32_t priority, const Workload* replaced, const std::string& reportImage);

// The number at the end of a Workload's name, which grows with each replacement; 0 if there is none.
int numberOf(const std::string& name);
// The name of the job's first Workload, or of the one that comes after `last`.
std::string workloadName(const TrainingJob& job, const Workload* last);

// The JSON Patch that changes the number of workers, if the Workload has not changed since it was read.
std::string workersPatch(const Workload& workload, Workers workers);

// The merge patch that sets what Kueue adds to the priority. 0 removes the annotation.
std::string boostPatch(const Workload& workload, int boost);

// A condition of a status.
struct Condition {
  std::string type;
  bool isTrue = false;
  std::string reason;
  std::string message;
};

// The merge patch of the status of a Workload, as it was just read, that sets the conditions and leaves the
// others as they are. With `releases` it also gives back the quota.
std::string conditionsPatch(const rapidjson::Value& workload, const std::vector<Condition>& conditions,
                            Time now, bool releases = false);

}  // namespace slaq::kube::queues
