#include "scheduler/decision/decide.h"

#include "scheduler/decision/division.h"
#include "scheduler/explain/handover.h"
#include "scheduler/lifecycle/admission.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/lifecycle/sequence.h"
#include "scheduler/lifecycle/trial.h"

namespace slaq::scheduler {

Plan decide(const Snapshot& snapshot, const Settings& settings) {
  Plan plan;
  plan.jobs.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) plan.jobs.push_back(phaseOf(job, snapshot, settings));
  const DecisionContext context = contextOf(snapshot, settings);
  const auto admitted = admit(context, plan.jobs);
  beginTrials(context, admitted, plan.jobs);
  plan.price = divide(context, admitted, plan.jobs);
  plan.actions = sequence(context, admitted, plan.jobs);
  nameHandovers(context, admitted, plan.jobs);
  return plan;
}

}  // namespace slaq::scheduler
