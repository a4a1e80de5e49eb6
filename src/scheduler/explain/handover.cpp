#include "scheduler/explain/handover.h"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

// The change of a job's cores, negative where it gives some.
struct Change {
  std::size_t job = 0;  // index into the snapshot
  Cores cores;
};

std::vector<Change> changesOf(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                              const std::vector<JobPlan>& plans) {
  std::vector<Change> changes;
  for (const std::size_t job : admitted) {
    const JobSpec& spec = context.snapshot.jobs[job].view->job.spec;
    const JobPlan& plan = plans[job];
    const Cores cores =
        coresOf(spec, {plan.target, plan.targetCpu}) - coresOf(spec, {plan.held, plan.heldCpu});
    if (cores != Cores()) changes.push_back({job, cores});
  }
  return changes;
}

// The other job's change is in the other direction, and at least half as large.
bool isMost(const Change& other, const Change& own) {
  const bool isOpposite = (other.cores > Cores()) != (own.cores > Cores());
  return isOpposite && 2 * std::abs(other.cores.value()) >= std::abs(own.cores.value());
}

// Names of jobs in one namespace stand alone, as in what kubectl prints of it.
std::string nameFor(const JobKey& reader, const JobKey& other) {
  return reader.ns == other.ns ? other.name : toString(other);
}

}  // namespace

void nameHandovers(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                   std::vector<JobPlan>& plans) {
  const std::vector<Change> changes = changesOf(context, admitted, plans);
  if (changes.empty()) return;
  const auto [giver, taker] = std::ranges::minmax_element(changes, {}, &Change::cores);
  if (giver->cores >= Cores() || taker->cores <= Cores()) return;
  const JobPlan& gives = plans[giver->job];
  const JobPlan& takes = plans[taker->job];
  const std::string start = takes.held == Workers(0) ? " and starts" : "";
  for (const Change& change : changes) {
    JobPlan& plan = plans[change.job];
    if (isMost(*taker, change)) plan.handover = nameFor(plan.job, takes.job) + " gets them" + start;
    if (isMost(*giver, change)) plan.handover = nameFor(plan.job, gives.job) + " gives them";
  }
}

}  // namespace slaq::scheduler
