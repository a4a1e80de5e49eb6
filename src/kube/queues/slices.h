// The Workloads of one job: the one that has its quota, and the one that is to replace it with more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "kube/queues/workload.h"

namespace slaq::kube::queues {

struct Slices {
  std::optional<Workload> current;  // that has quota or, where none has, that waits for it
  std::optional<Workload> growth;   // that is to replace `current` and has no quota yet
  std::vector<Workload> stale;      // that are of no use any more
};

// `owned` are those whose controller has the job's uid.
Slices slicesOf(const TrainingJob& job, const std::vector<const Workload*>& owned);

// True for a growth that took the place of its job's Workload and was evicted before it was admitted, as by
// an admission check. The job has to stop for it, and Kueue would queue the larger size again, or never.
bool isFailedGrowth(const Workload& workload);

// Why no pod may run; a sentence without its subject. REQUIRES: the queue has not admitted the job.
std::string whyNothingIsAdmitted(const TrainingJob& job, const std::optional<Workload>& current);

// Why such a job cannot be in a queue, if it cannot.
std::optional<std::string> whyRefused(const JobSpec& spec);

// The pods that slaq sizes: its own set, that of the group of a target, or the only one of a Job. nullptr if
// there are none.
const PodSet* sizedSetOf(const Workload& workload, const TrainingJob& job);

}  // namespace slaq::kube::queues
