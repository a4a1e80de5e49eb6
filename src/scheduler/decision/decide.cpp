#include "scheduler/decision/decide.h"

#include <algorithm>
#include <string>
#include <utility>

#include "scheduler/decision/division.h"
#include "scheduler/explain/handover.h"
#include "scheduler/explain/plan_text.h"
#include "scheduler/lifecycle/admission.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/lifecycle/sequence.h"
#include "scheduler/lifecycle/trial.h"

namespace slaq::scheduler {

namespace {

// An object of fixed size takes the cores of all its pods from the budget, or those that it holds. Where the
// capacity is what others leave of the nodes, that is already without its pods, so that only the limit of its
// group counts them.
void takeFixed(DecisionContext& context, const JobView& view, Group group) {
  const Cores held = heldByFixed(view, context.budget.leftFor(group));
  context.budget.take(held, group);
  if (view.onNodes) context.budget.all += held;
}

// The workers of an object that slaq did not create stay, whatever is decided about the job that names it. If
// the job takes no part, the cores of those that run are taken from the budget. If it takes part, only those
// are that stop without being counted any more. The driver of a job whose workers are done keeps its cores
// too.
void takeWhatStays(DecisionContext& context, const std::vector<JobPlan>& plans) {
  context.taken.resize(plans.size());
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const JobView& view = *context.snapshot.jobs[i].view;
    const Group group = context.groupOf(i);
    if (isClosing(plans[i], view)) {
      context.taken[i] = true;
      context.budget.take(coresInUse(view), group);
      context.closing += coresInUse(view);
      continue;
    }
    if (!view.job.spec.workers.target) continue;
    if (plans[i].phase == Phase::Fixed) {
      context.taken[i] = true;
      takeFixed(context, view, group);
      continue;
    }
    context.taken[i] = !takesPart(plans[i].phase);
    const Cores left = context.budget.leftFor(group);
    const Cores stopping = std::min(heldUncounted(view), std::max(Cores(), left));
    context.budget.take(context.taken[i] ? heldWithoutPart(view, left) : stopping, group);
  }
}

enum class Observed { Stay, TakePart };

bool isObserved(const JobSnapshot& job, const JobPlan& plan) {
  return job.view->job.spec.mode == Mode::Observe && takesPart(plan.phase);
}

JobPlan asItIs(JobPlan plan) {
  plan.phase = Phase::Observed;
  plan.target = plan.held;
  plan.targetCpu = plan.heldCpu;
  return plan;
}

Plan planOf(const Snapshot& snapshot, const Settings& settings, Observed observed) {
  Plan plan;
  plan.jobs.reserve(snapshot.jobs.size());
  for (const auto& job : snapshot.jobs) {
    plan.jobs.push_back(phaseOf(job, snapshot, settings));
    if (observed == Observed::Stay && isObserved(job, plan.jobs.back()))
      plan.jobs.back() = asItIs(std::move(plan.jobs.back()));
  }
  DecisionContext context = contextOf(snapshot, settings);
  takeWhatStays(context, plan.jobs);
  const auto admitted = admit(context, plan.jobs);
  beginTrials(context, admitted, plan.jobs);
  plan.price = divide(context, admitted, plan.jobs);
  plan.actions = sequence(context, admitted, plan.jobs);
  nameHandovers(context, admitted, plan.jobs);
  return plan;
}

// Gives each observed job the plan that it would have if slaq sized all observed jobs.
void tellObserved(const Snapshot& snapshot, const Settings& settings, Plan& plan) {
  const Plan all = planOf(snapshot, settings, Observed::TakePart);
  for (std::size_t i = 0; i < plan.jobs.size(); ++i) {
    if (plan.jobs[i].phase != Phase::Observed) continue;
    JobPlan& told = plan.jobs[i];
    const JobState state = told.state;
    told = all.jobs[i];
    told.phase = Phase::Observed;
    told.state = state;
    told.awaited = Cores();
    told.reason = "only observed, and would be: " + sentenceOf(all.jobs[i]);
  }
}

}  // namespace

Plan decide(const Snapshot& snapshot, const Settings& settings) {
  Plan plan = planOf(snapshot, settings, Observed::Stay);
  if (std::ranges::find(plan.jobs, Phase::Observed, &JobPlan::phase) != plan.jobs.end())
    tellObserved(snapshot, settings, plan);
  return plan;
}

}  // namespace slaq::scheduler
