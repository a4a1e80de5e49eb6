#include "loop/holding.h"

#include "scheduler/state/sizes.h"

namespace slaq::loop {

Holding::Holding(const ClusterView& view) : leaving_(view.leaving) {
  for (const auto& job : view.jobs) held_.emplace(job.job.key, scheduler::coresInUse(job));
}

bool Holding::isLessIn(const ClusterView& later) const {
  Cores gone = leaving_;
  for (const auto& [key, cores] : held_) gone += cores;
  for (const auto& job : later.jobs) {
    const auto known = held_.find(job.job.key);
    if (known == held_.end()) continue;
    if (scheduler::coresInUse(job) < known->second) return true;
    gone -= known->second;
  }
  return later.leaving < gone;
}

}  // namespace slaq::loop
