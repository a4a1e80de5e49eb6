#include "scheduler/lifecycle/queueing.h"

#include <algorithm>

#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

// The workers for which pods exist, stopping ones included, or will be made.
Workers workersWithPods(const WorkersView& workers) {
  const Workers existing = workers.active + workers.terminating;
  return runs(workers) ? std::max(workers.desired, existing) : existing;
}

bool hasPods(const JobView& view) {
  return workersWithPods(view.workers) > Workers(0) || view.driver.active || view.driver.terminating;
}

// A growth does not make a job less ready.
bool isReady(const JobView& view) {
  const Workers least(sizesOf(view.job.spec).min);
  return runs(view.workers) && view.workers.ready >= std::min(least, view.workers.desired) &&
         (!view.job.spec.driver || view.driver.ready);
}

// The job is not to run, whatever its queue admits.
bool isToStop(const JobView& view, const JobPlan& plan) {
  return isOver(plan, view) || plan.state == JobState::Suspended || isRefused(plan, view) ||
         view.queue->evicted;
}

// The workers for which the job needs quota. None where this plan does not change that.
std::optional<Workers> workersNeeding(const JobView& view, const JobPlan& plan) {
  const QueueView& queue = *view.queue;
  if (view.job.deleting || isClosing(plan, view)) return std::nullopt;
  if (queue.left) return Workers(0);
  if (isToStop(view, plan)) {
    if (!hasPods(view)) return Workers(0);
    // A growth that is not admitted yet is withdrawn at once.
    return queue.asked > queue.admitted ? std::optional(queue.admitted) : std::nullopt;
  }
  const Workers least(sizesOf(view.job.spec).min);
  const bool isHeldBack = queue.admitted == Workers(0) || !takesPart(plan.phase);
  if (isHeldBack) return hasPods(view) ? queue.asked : least;
  // The plan keeps the size whose pods are awaited, and says nothing about a growth that was asked for
  // before.
  if (plan.phase == Phase::Resizing && queue.asked > queue.admitted)
    return std::min(queue.asked, std::max(queue.most.value_or(queue.asked), workersWithPods(view.workers)));
  return std::min(queue.asked, std::max(plan.target, workersWithPods(view.workers)));
}

}  // namespace

bool isWithinQuota(const JobView& view, Workers workers) {
  const auto& queue = view.queue;
  return !queue || queue->seesChanges || queue->left || workers <= queue->admitted;
}

std::optional<RequestQuota> requestOf(const JobView& view, const JobPlan& plan) {
  if (!view.queue || view.queue->seesChanges) return std::nullopt;
  const QueueView& queue = *view.queue;
  const auto workers = workersNeeding(view, plan);
  if (!workers) return std::nullopt;
  const bool mayBeReady = *workers > Workers(0) && queue.admitted > Workers(0);
  RequestQuota request{plan.job, *workers, mayBeReady && isReady(view)};
  // A job that waits is raised by nothing, so that it does not evict others of its own priority.
  if (queue.priorityBoost) request.priorityBoost = mayBeReady && !queue.evicted ? plan.priorityBoost : 0;
  const bool isTidy = !queue.hasStale || queue.asked == Workers(0);
  // The queue is told whether the pods are ready only for a size that it has admitted.
  const bool isToldReady = request.podsReady == queue.podsReady || queue.asked != queue.admitted;
  const bool isKnown =
      request.workers == queue.asked && isToldReady && request.priorityBoost == queue.priorityBoost;
  return isKnown && isTidy ? std::nullopt : std::optional(request);
}

std::optional<RequestQuota> requestGrowth(const JobView& view, const JobPlan& plan, Workers workers) {
  if (view.queue->asked == workers) return std::nullopt;
  return RequestQuota{plan.job, workers, isReady(view)};
}

}  // namespace slaq::scheduler
