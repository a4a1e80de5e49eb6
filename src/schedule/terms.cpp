#include "schedule/terms.h"

#include "base/prefetch.h"

namespace slaq {
namespace {

constexpr std::size_t kAhead = 8;  // so many jobs

}  // namespace

NamespaceLimit limitOf(const Settings& settings, const std::string& ns) {
  auto found = settings.limits.find(ns);
  if (found == settings.limits.end()) found = settings.limits.find("*");
  return found == settings.limits.end() ? NamespaceLimit{} : found->second;
}

Terms termsOf(const Snapshot& snapshot, const Settings& settings) {
  Terms terms{snapshot, settings, Budget(snapshot.capacity), {}, {}};
  std::map<std::string, Group> known;  // of the namespaces with a limit of cores
  terms.weights.reserve(snapshot.jobs.size());
  terms.groups.reserve(snapshot.jobs.size());
  for (std::size_t i = 0; i < snapshot.jobs.size(); ++i) {
    if (i + kAhead < snapshot.jobs.size()) prefetch(snapshot.jobs[i + kAhead].view->job.spec.weight);
    const TrainingJob& job = snapshot.jobs[i].view->job;
    const std::string& ns = job.key.ns;
    const auto limit = limitOf(settings, ns);
    const int weight = job.spec.weight;
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
