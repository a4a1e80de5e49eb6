#include "schedule/terms.h"

namespace slaq {

NamespaceLimit limitOf(const Settings& settings, const std::string& ns) {
  auto found = settings.limits.find(ns);
  if (found == settings.limits.end()) found = settings.limits.find("*");
  return found == settings.limits.end() ? NamespaceLimit{} : found->second;
}

Terms termsOf(const Snapshot& snapshot, const Settings& settings) {
  Terms terms{snapshot, settings, Budget(snapshot.capacity), {}, {}};
  std::map<std::string, Group> known;  // of the namespaces with a limit of cores
  for (const auto& job : snapshot.jobs) {
    const auto& [ns, name] = job.view->job.key;
    const auto limit = limitOf(settings, ns);
    const int weight = job.view->job.spec.weight;
    terms.weights.push_back(std::min(weight, limit.weight.value_or(weight)));
    if (!limit.cores) {
      terms.groups.push_back(kNoGroup);
      continue;
    }
    const auto [entry, isNew] = known.try_emplace(ns, static_cast<Group>(known.size()));
    if (isNew) terms.budget.groups.push_back(*limit.cores);
    terms.groups.push_back(entry->second);
  }
  return terms;
}

}  // namespace slaq
