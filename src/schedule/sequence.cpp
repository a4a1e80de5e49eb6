#include "schedule/sequence.h"

#include <algorithm>

#include "schedule/admission.h"

namespace slaq {
namespace {

bool driverStands(const JobView& view) {
  return view.driver.active || view.driver.terminating ||
         (view.driver.exists && !view.driver.suspended && !view.driver.succeeded);
}

// Ends what must not run any more, and shrinks.
void giveBack(const JobView& view, const JobPlan& plan, std::vector<Action>& actions) {
  const bool over = plan.standing == Standing::Over;
  if (view.job.deleting) return;
  if (over && plan.state == JobState::Complete) {
    if (runs(view.workers)) actions.push_back(FinishJob{plan.job});
  } else if (over || plan.standing == Standing::Suspended || plan.standing == Standing::Waiting ||
             plan.standing == Standing::Refused) {
    if (runs(view.workers) || (view.driver.exists && !view.driver.suspended)) {
      actions.push_back(SuspendJob{plan.job});
    }
  } else if (plan.held > plan.target && plan.target > Workers(0)) {
    actions.push_back(ScaleWorkers{plan.job, plan.held, plan.target});
  }
}

// Starts with as many of its target as fit, its minimum at least: a first loss is worth more than a full
// team, and what is missing comes later.
void start(const JobView& view, JobPlan& plan, Cores& free, std::vector<Action>& actions) {
  const JobSpec& spec = view.job.spec;
  const Cores each = coresOf(spec.workers.pod);
  const Cores driver = driverStands(view) ? Cores() : driverCoresOf(spec);
  const Cores least = minimumOf(spec) - driverCoresOf(spec) + driver;
  if (least > free) {
    plan.reason = "waits for " + toString(least) + " cores that others are giving back";
    return;
  }
  const auto fitting = static_cast<std::int32_t>((free - driver).value() / each.value());
  const Workers count(std::min(plan.target.value(), fitting));
  free -= driver + each * count;
  actions.push_back(StartJob{plan.job, count});
}

// Its driver was deleted or suspended by somebody while the workers run.
bool lacksDriver(const JobView& view) {
  return view.job.spec.driver && (!view.driver.exists || view.driver.suspended) && !view.driver.terminating;
}

void restoreDriver(const JobView& view, JobPlan& plan, Cores& free, std::vector<Action>& actions) {
  const Cores driver = driverCoresOf(view.job.spec);
  plan.target = std::min(plan.held, plan.target);  // a shrink of this epoch stands
  plan.reason = "its driver is gone and is made again";
  if (driver > free) return;
  free -= driver;
  actions.push_back(StartJob{plan.job, plan.target});
}

void grow(const JobView& view, JobPlan& plan, Cores& free, std::vector<Action>& actions) {
  const Cores more = coresOf(view.job.spec.workers.pod) * (plan.target - plan.held);
  if (more > free) {
    plan.reason += "; waits for " + toString(more) + " cores that others are giving back";
    return;
  }
  free -= more;
  actions.push_back(ScaleWorkers{plan.job, plan.held, plan.target});
}

}  // namespace

Cores coresInUse(const JobView& view) {
  const auto& workers = view.workers;
  Workers pods = workers.active + workers.terminating;
  if (runs(workers)) pods = std::max(pods, workers.desired);
  return coresOf(view.job.spec.workers.pod) * pods +
         (driverStands(view) ? driverCoresOf(view.job.spec) : Cores());
}

std::vector<Action> sequence(const Snapshot& snapshot, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans) {
  std::vector<Action> actions;
  Cores free = snapshot.capacity - snapshot.leaving;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    giveBack(*snapshot.jobs[i].view, plans[i], actions);
    free -= coresInUse(*snapshot.jobs[i].view);
  }

  std::vector<std::size_t> growing;
  for (const std::size_t i : admitted) {
    const JobView& view = *snapshot.jobs[i].view;
    if (plans[i].held > Workers(0) && lacksDriver(view)) {
      restoreDriver(view, plans[i], free, actions);
    } else if (plans[i].held == Workers(0)) {
      start(view, plans[i], free, actions);
    } else if (plans[i].target > plans[i].held) {
      growing.push_back(i);
    }
  }
  std::ranges::stable_sort(
      growing, [&](std::size_t a, std::size_t b) { return plans[a].gainPerCore > plans[b].gainPerCore; });
  for (const std::size_t i : growing) grow(*snapshot.jobs[i].view, plans[i], free, actions);
  return actions;
}

}  // namespace slaq
