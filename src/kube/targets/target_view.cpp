#include "kube/targets/target_view.h"

#include <algorithm>

namespace slaq::kube::targets {

TargetName targetNameOf(const TrainingJob& job) {
  const TargetRef& ref = *job.spec.workers.target;
  return {job.key.ns, ref.apiVersion, ref.kind, ref.name};
}

std::map<TargetName, const JobView*> sizingJobs(const ClusterView& view) {
  std::map<TargetName, const JobView*> jobs;
  const auto comesBefore = [](const JobView& a, const JobView& b) {
    const bool isOver = finished(a.status.state);
    if (isOver != finished(b.status.state)) return !isOver;
    return std::tie(a.job.created, a.job.key) < std::tie(b.job.created, b.job.key);
  };
  for (const auto& each : view.jobs) {
    if (!each.job.spec.workers.target || each.job.deleting) continue;
    const JobView*& job = jobs[targetNameOf(each.job)];
    if (!job || comesBefore(each, *job)) job = &each;
  }
  return jobs;
}

WorkersView workersOf(const Target& target, const WorkerGroup& group, const PodCounts& pods) {
  WorkersView workers;
  workers.exists = true;
  workers.suspended = target.suspended || group.desired == Workers(0);
  workers.desired = group.desired;
  workers.active = pods.active;
  workers.ready = pods.ready;
  workers.terminating = pods.terminating;
  workers.succeeded = target.complete;
  workers.failed = target.failed;
  return workers;
}

DriverView driverOf(const Target& target) {
  DriverView driver;
  driver.exists = true;
  driver.suspended = target.suspended;
  driver.active = driver.ready = !target.suspended;
  driver.succeeded = target.complete;
  driver.failed = target.failed;
  return driver;
}

void setEnd(JobView& view, const TargetMaker& maker) {
  view.workers.succeeded = view.driver.succeeded = maker.complete;
  view.workers.failed = view.driver.failed = maker.failed;
}

std::optional<WorkersSpec> narrowed(WorkersSpec workers, const WorkerGroup& group) {
  if (group.isFixed) {
    workers.min = workers.max = group.desired;
    workers.sizes.clear();
    return workers;
  }
  const bool hasSizes = !workers.sizes.empty();
  if (group.min) workers.min = std::max(workers.min, *group.min);
  if (group.max) workers.max = std::min(workers.max, *group.max);
  std::erase_if(workers.sizes, [&](Workers size) { return size < workers.min || size > workers.max; });
  if (workers.max < workers.min || (hasSizes && workers.sizes.empty())) return std::nullopt;
  if (hasSizes) narrowToSizes(workers);
  return workers;
}

std::string boundsOf(const WorkerGroup& group) {
  return "from " + std::to_string(group.min.value_or(Workers()).value()) + " to " +
         (group.max ? std::to_string(group.max->value()) : "any number");
}

}  // namespace slaq::kube::targets
