#include "kube/queues/workload_writer.h"

#include <utility>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/queues/bodies.h"

namespace slaq::kube::queues {
namespace {

tl::unexpected<Error> changedMeanwhile(const JobKey& workload) {
  return failure(ErrorKind::Conflict, "the Workload " + toString(workload) + " was changed meanwhile");
}

client::Target targetOf(const JobKey& workload) { return {client::kWorkloads, workload.ns, workload.name}; }

}  // namespace

Result<void> WorkloadWriter::request(const TrainingJob& job, const Slices& slices,
                                     const RequestQuota& request, JobState state,
                                     const std::string& reportImage) {
  for (const auto& each : slices.stale) {
    if (const auto removed = remove(each); !removed) return removed;
  }
  if (request.workers == Workers(0)) return giveBack(slices, request, state);
  if (const auto asked = askFor(job, slices, request.workers, reportImage); !asked) return asked;
  const auto& current = slices.current;
  if (!current || current->finished) return {};
  if (const auto boosted = boost(*current, request); !boosted) return boosted;
  if (!current->admitted || current->podsReady == request.podsReady) return {};
  return tell(*current, {{"PodsReady", request.podsReady, request.podsReady ? "Started" : "WaitForRecovery",
                          request.podsReady ? "The pods of the minimum of workers are ready"
                                            : "Not all pods of the minimum of workers are ready"}});
}

// An evicted Workload stays, and Kueue queues it again. The Workload of a suspended job is deleted.
Result<void> WorkloadWriter::giveBack(const Slices& slices, const RequestQuota& request, JobState state) {
  if (slices.growth) {
    if (const auto removed = remove(*slices.growth); !removed) return removed;
  }
  const auto& current = slices.current;
  if (!current || current->finished) return {};
  if (finished(state)) {
    const bool succeeded = state == JobState::Complete;
    return tell(*current, {{"Finished", true, succeeded ? "Succeeded" : "Failed",
                            succeeded ? "The training is complete" : "The training failed"}});
  }
  if (!isReserved(*current) || !current->evicted) return remove(*current);
  if (const auto boosted = boost(*current, request); !boosted) return boosted;
  const std::string why = *current->evicted;
  // Kueue itself lets others wait before it queues them again.
  const bool isQueuedAtOnce =
      current->evictedReason == "Preempted" || current->evictedReason == "NodeFailures";
  return tell(*current,
              {{"QuotaReserved", false, "Pending", why},
               {"Admitted", false, "NoReservation", "The workload has no reservation"},
               {"Requeued", isQueuedAtOnce, current->evictedReason, why}},
              true);
}

Result<void> WorkloadWriter::askFor(const TrainingJob& job, const Slices& slices, Workers workers,
                                    const std::string& reportImage) {
  const auto& current = slices.current;
  if (!current) return create(job, nullptr, nullptr, workers, reportImage);
  if (current->finished) {
    if (const auto removed = remove(*current); !removed) return removed;
    return create(job, &*current, nullptr, workers, reportImage);
  }
  if (!isReserved(*current)) {
    if (current->queue != job.queue) return remove(*current);  // the next request enters the other queue
    return resize(*current, workers);
  }
  if (workers > workersOf(*current))
    return slices.growth ? resize(*slices.growth, workers)
                         : create(job, &*current, &*current, workers, reportImage);
  if (slices.growth) {
    if (const auto removed = remove(*slices.growth); !removed) return removed;
  }
  return resize(*current, workers);
}

Result<void> WorkloadWriter::create(const TrainingJob& job, const Workload* last, const Workload* replaced,
                                    Workers workers, const std::string& reportImage) {
  std::int32_t priority = 0;
  if (!job.priorityClass.empty()) {
    const auto found = api_.get({client::kWorkloadPriorityClasses, "", job.priorityClass});
    if (!found && found.error().kind == ErrorKind::NotFound)
      return failure(ErrorKind::Invalid, "there is no WorkloadPriorityClass " + printable(job.priorityClass) +
                                             ", which the label " + kPriorityClassLabel + " names");
    if (!found) return failure(found.error());
    priority = json::intAt(*found, {"value"});
  }
  const JobKey key{job.key.ns, workloadName(job, last)};
  const auto created =
      api_.create(targetOf(key), workloadBody(job, key.name, workers, priority, replaced, reportImage));
  if (!created) return failure(created.error());
  if (!*created) return failure(ErrorKind::Conflict, "the Workload " + toString(key) + " exists already");
  written_(**created);
  return {};
}

Result<void> WorkloadWriter::resize(const Workload& workload, Workers workers) {
  if (workersOf(workload) == workers) return {};
  const auto patched =
      api_.patch(targetOf(workload.key), workersPatch(workload, workers), client::PatchKind::Json);
  if (!patched && patched.error().kind == ErrorKind::NotFound) return changedMeanwhile(workload.key);
  if (!patched) return failure(patched.error());
  written_(*patched);
  return {};
}

Result<void> WorkloadWriter::remove(const Workload& workload) {
  return api_.remove(targetOf(workload.key), workload.uid, workload.resourceVersion);
}

Result<void> WorkloadWriter::boost(const Workload& workload, const RequestQuota& request) {
  if (!request.priorityBoost || *request.priorityBoost == workload.priorityBoost) return {};
  const auto patched = api_.patch(targetOf(workload.key), boostPatch(workload, *request.priorityBoost));
  if (!patched && patched.error().kind == ErrorKind::NotFound) return changedMeanwhile(workload.key);
  if (!patched) return failure(patched.error());
  written_(*patched);
  return {};
}

Result<void> WorkloadWriter::tell(const Workload& workload, const std::vector<Condition>& conditions,
                                  bool releases) {
  const auto found = api_.get(targetOf(workload.key));
  if (!found && found.error().kind == ErrorKind::NotFound) return changedMeanwhile(workload.key);
  if (!found) return failure(found.error());
  if (json::uidOf(*found) != workload.uid) return changedMeanwhile(workload.key);
  client::Target status = targetOf(workload.key);
  status.subresource = "status";
  const auto patched = api_.patch(status, conditionsPatch(*found, conditions, clock_.now(), releases));
  if (!patched) return failure(patched.error());
  written_(*patched);
  return {};
}

}  // namespace slaq::kube::queues
