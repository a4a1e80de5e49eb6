#include "scheduler/lifecycle/decision_context.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/figures.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

bool hasLimitOfCores(const Settings& settings) {
  return std::ranges::any_of(settings.limits,
                             [](const auto& limit) { return limit.second.cores.has_value(); });
}

// The cores of the job's pods that exist. A quota does not count pods that were only asked for.
Cores coresOfPods(const JobView& view) {
  const auto& workers = view.workers;
  Cores held = askedCpuOf(view) * (workers.active + workers.terminating);
  if (workers.cpu) held = std::max(held, workers.cpu->held);
  const bool hasDriver = view.driver.active || view.driver.terminating;
  return held + (hasDriver ? driverCoresOf(view.job.spec) : Cores());
}

// The quota of its queue limits such a job, and the limits of its namespace do not.
bool hasQueueQuota(const JobView& view) { return view.queue && !view.queue->quota.empty(); }

std::optional<GroupLimit> limitOfQueue(const Snapshot& snapshot, const std::string& name) {
  const auto found = std::ranges::find(snapshot.queueQuotas, name, &QueueQuotaView::name);
  if (found == snapshot.queueQuotas.end()) return std::nullopt;
  return GroupLimit{found->cores, found->most, "the quota of " + name + ", " + toString(found->most)};
}

// The limits of the namespaces of a snapshot.
class NamespaceLimits {
 public:
  NamespaceLimits(const Snapshot& snapshot, const Settings& settings) : settings_(settings) {
    for (const auto& quota : snapshot.quotas) quotas_[quota.ns].view = &quota;
    for (const auto& job : snapshot.jobs) {
      if (hasQueueQuota(*job.view)) continue;  // its pods are others to the jobs of this limit
      const auto quota = quotas_.find(job.view->job.key.ns);
      if (quota == quotas_.end()) continue;
      quota->second.held += coresInUse(*job.view);
      quota->second.counted += coresOfPods(*job.view);
    }
  }

  // The stricter of the two limits that a namespace can have; empty where it has none.
  std::optional<GroupLimit> of(const std::string& ns) const {
    std::optional<GroupLimit> limit;
    if (const auto cores = limitOf(settings_, ns).cores)
      limit = {*cores, *cores, "the limit of the namespace " + ns + ", " + toString(*cores)};
    const auto quota = quotas_.find(ns);
    if (quota == quotas_.end()) return limit;
    GroupLimit next = limitBy(quota->second);
    if (!limit) return next;
    GroupLimit& strictest = next.cores < limit->cores ? next : *limit;
    strictest.most = std::min(limit->most, next.most);
    return strictest;
  }

 private:
  struct Quota {
    const QuotaView* view = nullptr;
    Cores held;     // by the training jobs, as was decided
    Cores counted;  // the part of it that is in the quota's count, if that is up to date
  };

  // Other pods use all that the API server counts beyond the jobs' pods. It counts a pod that has ended for a
  // moment longer than slaq does. Where an administrator has lowered the quota, jobs keep what they hold, as
  // other pods do.
  static GroupLimit limitBy(const Quota& quota) {
    const QuotaView& view = *quota.view;
    const Cores others = std::max(Cores(), view.used - quota.counted);
    return {std::max(view.hard - others, quota.held), std::max(view.hard, quota.held),
            "the ResourceQuota " + view.name + " of the namespace " + view.ns + ", " + toString(view.hard)};
  }

  const Settings& settings_;
  std::map<std::string, Quota> quotas_;  // by namespace
};

}  // namespace

const NamespaceLimit& limitOf(const Settings& settings, const std::string& ns) {
  static const NamespaceLimit kNone;
  auto found = settings.limits.find(ns);
  if (found == settings.limits.end()) found = settings.limits.find("*");
  return found == settings.limits.end() ? kNone : found->second;
}

int DecisionContext::weightOf(std::size_t job) const {
  const TrainingJob& of = snapshot.jobs[job].view->job;
  if (settings.limits.empty()) return of.spec.weight;
  return std::min(of.spec.weight, limitOf(settings, of.key.ns).weight.value_or(of.spec.weight));
}

DecisionContext contextOf(const Snapshot& snapshot, const Settings& settings) {
  DecisionContext context{snapshot, settings, Budget(snapshot.capacity), {}, {}, {}};
  if (!hasLimitOfCores(settings) && snapshot.quotas.empty() && snapshot.queueQuotas.empty()) return context;
  const NamespaceLimits limits(snapshot, settings);
  std::map<std::pair<bool, std::string>, Group> known;  // by the queues' quota, or by namespace
  context.groups.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) {
    const bool isQueued = hasQueueQuota(*job.view);
    const std::string& name = isQueued ? job.view->queue->quota : job.view->job.key.ns;
    const auto [entry, isNew] = known.try_emplace({isQueued, name}, kNoGroup);
    const auto limitOfGroup = [&] { return isQueued ? limitOfQueue(snapshot, name) : limits.of(name); };
    if (auto limit = isNew ? limitOfGroup() : std::nullopt) {
      entry->second = static_cast<Group>(context.limits.size());
      context.budget.groups.push_back(limit->cores);
      context.limits.push_back(std::move(*limit));
    }
    context.groups.push_back(entry->second);
  }
  return context;
}

}  // namespace slaq::scheduler
