#include "scheduler/decision/admitted_jobs.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/share_work.h"

namespace slaq::scheduler {
namespace {

// Waking a thread takes as long as making this many demands.
constexpr std::size_t kDemandsForAThread = 1024;

class Assembly {
 public:
  Assembly(const DecisionContext& context, const std::vector<std::size_t>& admitted,
           const std::vector<JobPlan>& plans)
      : context_(context), plans_(plans), trusts_(admitted.size()) {
    result_.jobs = admitted;
    result_.demands.resize(admitted.size());
    result_.sizes.resize(admitted.size());
    result_.phases.resize(admitted.size());
  }

  AdmittedJobs assemble() {
    const std::size_t count = result_.jobs.size();
    shareWork(count, threadsFor(count, kDemandsForAThread), [&](std::size_t begin, std::size_t end) {
      for (std::size_t n = begin; n < end; ++n) take(n);
    });
    result_.calm = calm();
    result_.budget = withoutDrivers();
    makeMinimumsFit();
    if (count > 1) boundByDoubt();
    return std::move(result_);
  }

 private:
  const JobSnapshot& job(std::size_t n) const { return context_.snapshot.jobs[result_.jobs[n]]; }
  const JobSpec& specOf(std::size_t n) const { return job(n).view->job.spec; }

  void take(std::size_t n) {
    const JobPlan& plan = plans_[result_.jobs[n]];
    result_.sizes[n] = sizesOf(specOf(n));
    result_.phases[n] = plan.phase;
    const AdmittedJob admitted{result_.jobs[n], plan, result_.sizes[n]};
    result_.demands[n] = demandOf(admitted, context_);
    trusts_[n] = trustIn(result_.demands[n], admitted, context_);
  }

  Seconds calm() const {
    Seconds calm = Seconds::max();
    for (std::size_t n = 0; n < result_.jobs.size(); ++n) {
      for (const auto& change : {job(n).history->resizes.grew, job(n).history->resizes.shrank}) {
        if (change) calm = std::min(calm, context_.snapshot.now - *change);
      }
    }
    return calm;
  }

  Budget withoutDrivers() const {
    Budget budget = context_.budget;
    for (std::size_t n = 0; n < result_.jobs.size(); ++n) {
      budget.take(driverCoresOf(specOf(n)), result_.demands[n].group);
    }
    return budget;
  }

  // Pins and resizes under way are waived only where the minimums would not fit otherwise: everywhere, or in
  // the groups whose limit they exceed.
  void makeMinimumsFit() {
    const Budget left = leftByMinimums(result_.demands, result_.budget);
    if (left.covers()) return;
    for (std::size_t n = 0; n < result_.jobs.size(); ++n) {
      if (left.leftFor(result_.demands[n].group) >= Cores()) continue;
      const Sizes least = leastSizesOf(specOf(n));
      Demand& demand = result_.demands[n];
      if (least.team != result_.sizes[n].team) {
        setSizes(demand, least);
        result_.sizes[n] = least;
      }
      demand.min = std::min(demand.max, least.min);
      demand.minBy = BoundBy::Owner;
    }
  }

  // The most units within `cores`. Where changes have a price, it is at least what the job has.
  std::int32_t unitsWithin(const Demand& demand, double cores) const {
    const double units = (cores - inCores(demand.offset)) / inCores(demand.perUnit);
    const std::int32_t kept = isFree(context_.settings.price) ? 0 : demand.kept();
    return std::max(demand.atMost(static_cast<std::int32_t>(std::min<double>(units, demand.max))), kept);
  }

  // A job that is nearly done uses its minimum. Any other job uses at most what its forecast is trusted with.
  Cores usableBy(std::size_t n, double all) const {
    const Demand& demand = result_.demands[n];
    const Trust& trust = trusts_[n];
    if (trust.nearlyDone) return demand.cores(demand.min);
    return demand.cores(trust.share == 1 ? demand.max : unitsWithin(demand, trust.share * all));
  }

  // Bounds each job by the trusted share of its forecast, or by the cores that other jobs do not use if these
  // are more.
  void boundByDoubt() {
    const double all = inCores(result_.budget.all);
    std::vector<Cores> usable;
    for (std::size_t n = 0; n < result_.jobs.size(); ++n) usable.push_back(usableBy(n, all));
    const Cores sum = std::accumulate(usable.begin(), usable.end(), Cores());
    for (std::size_t n = 0; n < result_.jobs.size(); ++n) {
      if (trusts_[n].share == 1) continue;
      Demand& demand = result_.demands[n];
      const double unusedByOthers = all - inCores(sum - usable[n]);
      const std::int32_t bound = unitsWithin(demand, std::max(trusts_[n].share * all, unusedByOthers));
      if (bound >= demand.max) continue;
      demand.max = bound;
      demand.maxBy = BoundBy::Doubt;
    }
  }

  const DecisionContext& context_;
  const std::vector<JobPlan>& plans_;
  AdmittedJobs result_;
  std::vector<Trust> trusts_;
};

}  // namespace

AdmittedJobs admittedJobs(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                          const std::vector<JobPlan>& plans) {
  return Assembly(context, admitted, plans).assemble();
}

}  // namespace slaq::scheduler
