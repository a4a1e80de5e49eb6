#include "scheduler/decision/decide.h"

#include "scheduler/decision/division.h"
#include "scheduler/explain/handover.h"
#include "scheduler/lifecycle/admission.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/lifecycle/sequence.h"
#include "scheduler/lifecycle/trial.h"

namespace slaq::scheduler {

namespace {

// The workers of an object that slaq did not create stay, whatever is decided about the job that names it. If
// the job takes no part, the cores of those that run are taken from the budget.
void takeTargets(DecisionContext& context, const std::vector<JobPlan>& plans) {
  context.taken.resize(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const JobView& view = *context.snapshot.jobs[i].view;
    if (!view.job.spec.workers.target || takesPart(plans[i].phase)) continue;
    context.budget.take(heldWithoutPart(view, context.budget.leftFor(context.groupOf(i))),
                        context.groupOf(i));
    context.taken[i] = true;
  }
}

}  // namespace

Plan decide(const Snapshot& snapshot, const Settings& settings) {
  Plan plan;
  plan.jobs.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) plan.jobs.push_back(phaseOf(job, snapshot, settings));
  DecisionContext context = contextOf(snapshot, settings);
  takeTargets(context, plan.jobs);
  const auto admitted = admit(context, plan.jobs);
  beginTrials(context, admitted, plan.jobs);
  plan.price = divide(context, admitted, plan.jobs);
  plan.actions = sequence(context, admitted, plan.jobs);
  nameHandovers(context, admitted, plan.jobs);
  return plan;
}

}  // namespace slaq::scheduler
