#include "scheduler/lifecycle/decision_context.h"

#include <algorithm>
#include <map>
#include <optional>

#include "base/figures.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

bool hasLimitOfCores(const Settings& settings) {
  return std::ranges::any_of(settings.limits,
                             [](const auto& limit) { return limit.second.cores.has_value(); });
}

// The limits of the namespaces of a snapshot.
class NamespaceLimits {
 public:
  NamespaceLimits(const Snapshot& snapshot, const Settings& settings) : settings_(settings) {
    for (const auto& quota : snapshot.quotas) quotas_[quota.ns] = {&quota, Cores()};
    for (const auto& job : snapshot.jobs) {
      const auto quota = quotas_.find(job.view->job.key.ns);
      if (quota != quotas_.end()) quota->second.ours += coresInUse(*job.view);
    }
  }

  // The stricter of the two limits that a namespace can have; empty where it has none.
  std::optional<GroupLimit> of(const std::string& ns) const {
    std::optional<GroupLimit> strictest;
    if (const auto cores = limitOf(settings_, ns).cores)
      strictest = {*cores, *cores, "the limit of the namespace " + ns + ", " + toString(*cores)};
    const auto quota = quotas_.find(ns);
    if (quota == quotas_.end()) return strictest;
    GroupLimit next = limitBy(quota->second);
    return strictest && strictest->cores <= next.cores ? strictest : std::optional(std::move(next));
  }

 private:
  struct Quota {
    const QuotaView* view = nullptr;
    Cores ours;  // of the training jobs
  };

  // What others use is all that the API server counts beyond our jobs. It counts a new pod at once and one
  // that has ended a moment later, so that the jobs are never believed to have less than they have. Where an
  // administrator has lowered the quota below that, jobs keep what they hold, as other pods do.
  static GroupLimit limitBy(const Quota& quota) {
    const QuotaView& view = *quota.view;
    const Cores others = std::max(Cores(), view.used - quota.ours);
    return {std::max(view.hard - others, quota.ours), view.hard,
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
  DecisionContext context{snapshot, settings, Budget(snapshot.capacity), {}, {}};
  if (!hasLimitOfCores(settings) && snapshot.quotas.empty()) return context;
  const NamespaceLimits limits(snapshot, settings);
  std::map<std::string, Group> known;  // by namespace
  context.groups.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) {
    const std::string& ns = job.view->job.key.ns;
    const auto [entry, isNew] = known.try_emplace(ns, kNoGroup);
    if (auto limit = isNew ? limits.of(ns) : std::nullopt) {
      entry->second = static_cast<Group>(context.limits.size());
      context.budget.groups.push_back(limit->cores);
      context.limits.push_back(std::move(*limit));
    }
    context.groups.push_back(entry->second);
  }
  return context;
}

}  // namespace slaq::scheduler
