#include "scheduler/lifecycle/sequence.h"

#include <algorithm>

#include "base/figures.h"
#include "scheduler/lifecycle/admission.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/lifecycle/priority_boost.h"
#include "scheduler/lifecycle/queueing.h"
#include "scheduler/lifecycle/stop.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

class Sequence {
 public:
  explicit Sequence(const DecisionContext& context) : context_(context), free_(context.budget) {
    free_.take(context.snapshot.leaving, kNoGroup);
  }

  // Ends the jobs that must not run any more, and shrinks others.
  void giveBack(std::size_t i, const JobPlan& plan) {
    const JobView& view = viewOf(i);
    if (auto request = requestOf(view, plan)) actions_.push_back(std::move(*request));
    if (!context_.isTaken(i)) free_.take(heldBy(i, plan), context_.groupOf(i));
    if (view.job.deleting || isClosing(plan, view)) return;
    if (isOver(plan, view)) return end(view, plan);
    if (plan.target == Workers(0)) return suspend(view, plan);
    if (plan.held == Workers(0)) return;
    if (plan.targetCpu < plan.heldCpu) actions_.push_back(ScaleCpu{plan.job, *plan.heldCpu, *plan.targetCpu});
    const Workers kept = withinQueue(view, plan.target);
    if (plan.held > kept) actions_.push_back(ScaleWorkers{plan.job, plan.held, kept});
    if (plan.targetCpu == plan.heldCpu && lacksCpu(view)) {
      actions_.push_back(ScaleCpu{plan.job, *plan.heldCpu, *plan.targetCpu});
    }
  }

  // Starts the job with as much of its target as fits, at least its minimum. A first loss is worth more than
  // a full team, and the missing units come later.
  void start(std::size_t i, JobPlan& plan) {
    const JobSpec& spec = viewOf(i).job.spec;
    const Group group = context_.groupOf(i);
    const Cores target = coresOf(spec, {plan.target, plan.targetCpu});
    Sizes sizes = sizesOf(spec);
    if (target < sizes.coresAt(sizes.min))
      sizes = leastSizesOf(spec);  // the number that it is pinned to does not fit
    const Cores driver = driverStands(viewOf(i)) ? Cores() : driverCoresOf(spec);
    const Cores least = driver + sizes.coresAt(sizes.min);
    if (!free_.fits(least, group)) {
      plan.awaited = least;
      return;
    }
    const std::int32_t units = unitsThatFit(sizes, sizes.min, free_.leftFor(group) - least);
    Size size = leastOf(sizes.at(units), {plan.target, plan.targetCpu});
    free_.take(driver + coresOf(spec, size), group);
    plan.awaited = target - coresOf(spec, size);
    if (!isWithinQuota(viewOf(i), size.workers)) {
      askQueue(i, plan, size.workers);
      size.workers = viewOf(i).queue->admitted;
      if (size.workers < Workers(sizes.min)) return;
    }
    actions_.push_back(StartJob{plan.job, size.workers, size.cpu});
  }

  void restoreDriver(std::size_t i, JobPlan& plan) {
    const Cores driver = driverCoresOf(viewOf(i).job.spec);
    plan.target = std::min(plan.held, plan.target);  // a shrink of this epoch still applies
    plan.targetCpu = std::min(plan.heldCpu, plan.targetCpu);
    plan.reason = "its driver is gone and is made again";
    if (!free_.fits(driver, context_.groupOf(i))) {
      plan.awaited = driver;
      return;
    }
    free_.take(driver, context_.groupOf(i));
    actions_.push_back(StartJob{plan.job, plan.target, plan.targetCpu});
  }

  // New workers come first. More cores in place follow once the workers exist.
  void grow(std::size_t i, JobPlan& plan) {
    const JobSpec& spec = viewOf(i).job.spec;
    const Group group = context_.groupOf(i);
    const auto cpu = std::min(plan.heldCpu, plan.targetCpu);
    const bool moreWorkers = plan.target > plan.held;
    const Workers target = reachableNow(i, plan);
    const Cores more = moreWorkers ? coresOf(spec, {target - plan.held, cpu})
                                   : (*plan.targetCpu - *plan.heldCpu) * plan.target;
    if (!free_.fits(more, group)) {
      plan.awaited = more;
      return;
    }
    free_.take(more, group);
    if (moreWorkers && !isWithinQuota(viewOf(i), target)) {
      askQueue(i, plan, target);
    } else if (moreWorkers) {
      actions_.push_back(ScaleWorkers{plan.job, plan.held, target});
    } else {
      actions_.push_back(ScaleCpu{plan.job, *plan.heldCpu, *plan.targetCpu});
    }
  }

  std::vector<Action> actions() && { return std::move(actions_); }

 private:
  // The pods follow once the queue has admitted them.
  void askQueue(std::size_t i, JobPlan& plan, Workers workers) {
    if (auto request = requestGrowth(viewOf(i), plan, workers)) actions_.push_back(std::move(*request));
    plan.reason += "; its queue is asked for " + counted(workers);
  }

  // At most the workers that the queue has admitted. A user who edits the workers' Job may have made more.
  static Workers withinQueue(const JobView& view, Workers target) {
    const bool hasAdmitted = view.queue && view.queue->admitted > Workers(0);
    return hasAdmitted && !isWithinQuota(view, target) ? view.queue->admitted : target;
  }

  // The cores that are not free for others in this epoch.
  Cores heldBy(std::size_t i, const JobPlan& plan) const {
    const JobView& view = viewOf(i);
    if (view.job.spec.workers.target && !takesPart(plan.phase))
      return heldWithoutPart(view, free_.leftFor(context_.groupOf(i)));
    return coresInUse(view) - releasedBy(view, plan);
  }

  const JobView& viewOf(std::size_t i) const { return *context_.snapshot.jobs[i].view; }

  // The most allowed units whose part beyond `least` fits into the cores that are left.
  static std::int32_t unitsThatFit(const Sizes& sizes, std::int32_t least, Cores left) {
    const auto more = std::max<std::int64_t>(0, left.value() / sizes.perUnit.value());
    const auto most = static_cast<std::int32_t>(std::min<std::int64_t>(sizes.max, least + more));
    return atMostAllowed(sizes.allowed, least, most);
  }

  // The number of workers that the job can grow to now. A job that starts may take a part of the missing
  // workers, because nothing of it runs yet. Any other job would stand still once more for the rest.
  Workers reachableNow(std::size_t i, const JobPlan& plan) const {
    const Sizes sizes = sizesOf(viewOf(i).job.spec);
    const bool takesAPart = isStarting(*context_.snapshot.jobs[i].history) && sizes.team == Workers(0);
    if (!takesAPart) return plan.target;
    const Workers fits(unitsThatFit(sizes, plan.held.value(), free_.leftFor(context_.groupOf(i))));
    return fits > plan.held ? std::min(fits, plan.target) : plan.target;
  }

  static Size leastOf(Size a, const Size& b) {
    return {std::min(a.workers, b.workers), std::min(a.cpu, b.cpu)};
  }

  // The cores that a shrink of this epoch releases for growths of the same epoch.
  Cores releasedBy(const JobView& view, const JobPlan& plan) const {
    if (!context_.snapshot.releasesAtOnce || !takesPart(plan.phase)) return Cores();
    const JobSpec& spec = view.job.spec;
    const Size held{plan.held, plan.heldCpu};
    return coresOf(spec, held) - coresOf(spec, leastOf(held, {plan.target, plan.targetCpu}));
  }

  // Pods that replaced others have not got their cores yet.
  static bool lacksCpu(const JobView& view) {
    const auto& cpu = view.workers.cpu;
    return cpu && !cpu->settled && !cpu->impossible;
  }

  void end(const JobView& view, const JobPlan& plan) {
    if (hasOutlived(view, context_.snapshot.now)) {
      actions_.push_back(DeleteJob{plan.job});
    } else if (!finished(plan.state)) {
      suspend(view, plan);
    } else if (hasPods(view)) {
      actions_.push_back(FinishJob{plan.job});
    }
  }

  void suspend(const JobView& view, const JobPlan& plan) {
    if (hasPods(view)) actions_.push_back(SuspendJob{plan.job});
  }

  // It has pods that slaq may stop. slaq does not stop an object that it did not create.
  static bool hasPods(const JobView& view) {
    const auto& driver = view.driver;
    const bool driverRuns = driver.exists && !driver.suspended && !driver.succeeded && !driver.failed;
    return !view.job.spec.workers.target && (runs(view.workers) || driverRuns);
  }

  const DecisionContext& context_;
  Budget free_;
  std::vector<Action> actions_;
};

// The job's driver was deleted or suspended from outside while the workers run.
bool lacksDriver(const JobView& view) {
  return view.job.spec.driver && (!view.driver.exists || view.driver.suspended) && !view.driver.terminating;
}

Cores coresOfReady(const JobView& view) {
  const Cores workers = coresOf(view.job.spec.workers.pod) * view.workers.ready;
  return driverStands(view) ? workers + driverCoresOf(view.job.spec) : workers;
}

}  // namespace

Cores heldUncounted(const JobView& view) {
  return view.onNodes ? std::max(Cores(), *view.onNodes - coresInUse(view)) : Cores();
}

Cores heldWithoutPart(const JobView& view, Cores left) {
  left = std::max(Cores(), left);
  if (view.onNodes) return std::min(*view.onNodes, left);
  return std::clamp(coresOfReady(view), Cores(), left);
}

Cores heldByFixed(const JobView& view, Cores left) {
  const Cores all = coresInUse(view);
  return all <= left ? all : std::clamp(coresOfReady(view), Cores(), std::max(Cores(), left));
}

std::vector<Action> sequence(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans) {
  Sequence sequence(context);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    plans[i].priorityBoost = priorityBoostOf(context.snapshot.jobs[i], plans[i], context.settings.epoch);
    sequence.giveBack(i, plans[i]);
  }

  std::vector<std::size_t> growing;
  for (const std::size_t i : admitted) {
    JobPlan& plan = plans[i];
    if (plan.held == Workers(0)) {
      sequence.start(i, plan);
    } else if (lacksDriver(*context.snapshot.jobs[i].view)) {
      sequence.restoreDriver(i, plan);
    } else if (plan.target > plan.held || plan.targetCpu > plan.heldCpu) {
      growing.push_back(i);
    }
  }
  std::ranges::stable_sort(
      growing, [&](std::size_t a, std::size_t b) { return plans[a].gainPerCore > plans[b].gainPerCore; });
  for (const std::size_t i : growing) sequence.grow(i, plans[i]);
  return std::move(sequence).actions();
}

}  // namespace slaq::scheduler
