#include "scheduler/lifecycle/decision_context.h"

#include <algorithm>

namespace slaq::scheduler {
namespace {

bool hasLimitOfCores(const Settings& settings) {
  return std::ranges::any_of(settings.limits,
                             [](const auto& limit) { return limit.second.cores.has_value(); });
}

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
  DecisionContext context{snapshot, settings, Budget(snapshot.capacity), {}};
  if (!hasLimitOfCores(settings)) return context;
  std::map<std::string, Group> known;  // of the namespaces with a limit of cores
  context.groups.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) {
    const std::string& ns = job.view->job.key.ns;
    const auto& limit = limitOf(settings, ns);
    if (!limit.cores) {
      context.groups.push_back(kNoGroup);
      continue;
    }
    const auto [entry, isNew] = known.try_emplace(ns, static_cast<Group>(known.size()));
    if (isNew) context.budget.groups.push_back(*limit.cores);
    context.groups.push_back(entry->second);
  }
  return context;
}

}  // namespace slaq::scheduler
