#include "scheduler/decision/division.h"

#include <algorithm>

#include "base/share_work.h"
#include "scheduler/allocation/fair_share.h"
#include "scheduler/decision/admitted_jobs.h"
#include "scheduler/explain/reason.h"

namespace slaq::scheduler {
namespace {

// Waking a thread takes as long as writing this many reasons.
constexpr std::size_t kReasonsForAThread = 1024;

// The allocation of the jobs that no forecast moves. A job in the phase Fair gets its part of a fair
// division among all jobs. If it may have one size only, it gets what fits of that. Held jobs keep what they
// have as long as it fits beside what the others have and get.
Allocation withoutForecast(const AdmittedJobs& jobs) {
  const auto hasForecast = [](Phase phase) { return phase == Phase::Quality; };
  if (std::ranges::all_of(jobs.phases, hasForecast)) return Allocation(jobs.jobs.size());
  const Allocation fair = fairShare(jobs.demands, jobs.budget);
  auto demands = jobs.demands;
  for (std::size_t n = 0; n < demands.size(); ++n) {
    Demand& demand = demands[n];
    const Phase phase = jobs.phases[n];
    const std::int32_t held = std::clamp(demand.held, demand.min, demand.max);
    if (phase == Phase::Quality) {
      demand.max = held;
    } else if (phase == Phase::Fair && jobs.sizes[n].min < jobs.sizes[n].max) {
      demand.min = demand.max = fair[n];
    }
  }
  return fairShare(demands, jobs.budget);
}

// The demands that the policy divides: those of all jobs, or of the jobs with a forecast.
struct Part {
  std::vector<std::size_t> places;  // the demands' places among the admitted jobs
  std::vector<Demand> demands;
  Budget budget = Cores();
};

Part everything(const AdmittedJobs& jobs) {
  Part part{.places = {}, .demands = jobs.demands, .budget = jobs.budget};
  for (std::size_t n = 0; n < jobs.demands.size(); ++n) part.places.push_back(n);
  return part;
}

// The jobs with a forecast share the cores that the others leave.
Part withForecast(const AdmittedJobs& jobs, const Allocation& ofOthers) {
  Part part{.places = {}, .demands = {}, .budget = jobs.budget};
  for (std::size_t n = 0; n < jobs.demands.size(); ++n) {
    const Demand& demand = jobs.demands[n];
    if (jobs.phases[n] == Phase::Quality) {
      part.places.push_back(n);
      part.demands.push_back(demand);
    } else {
      part.budget.take(demand.cores(ofOthers[n]), demand.group);
    }
  }
  return part;
}

// A kept size keeps its CPU to the thousandth of a core, even if that is no whole number of units.
Size targetOf(const AdmittedJobs& jobs, std::size_t n, std::int32_t units, const CpuBounds& cpu,
              const JobPlan& plan) {
  Size size = jobs.sizes[n].at(units);
  if (size.cpu && plan.heldCpu && units == jobs.demands[n].held)
    size.cpu = std::clamp(*plan.heldCpu, cpu.min, cpu.max);
  return size;
}

// Everything that was decided about the admitted jobs. Not copyable, because the problem points to the part.
struct Decided {
  AdmittedJobs jobs;
  Part part;
  AllocationProblem problem;
  Division division;
  Budget left = Cores();  // cores that no job gets
  Allocation allocation;  // of all admitted jobs
  std::vector<std::optional<std::size_t>>
      inProblem;  // their places in the problem, if the policy decided them

  Decided(const DecisionContext& context, const std::vector<std::size_t>& admitted,
          const std::vector<JobPlan>& plans)
      : jobs(admittedJobs(context, admitted, plans)), inProblem(admitted.size()) {
    const Settings& settings = context.settings;
    allocation = settings.policy->usesForecasts() ? withoutForecast(jobs) : Allocation(admitted.size());
    part = settings.policy->usesForecasts() ? withForecast(jobs, allocation) : everything(jobs);
    problem = {.demands = part.demands,
               .budget = part.budget,
               .epoch = settings.epoch,
               .resizePrice = settings.price,
               .calm = jobs.calm};
    division = settings.policy->divide(problem);
    left = leftBy(part.demands, division.allocation, part.budget);
    for (std::size_t p = 0; p < part.places.size(); ++p) {
      allocation[part.places[p]] = division.allocation[p];
      inProblem[part.places[p]] = p;
    }
  }
  Decided(const Decided&) = delete;
  Decided& operator=(const Decided&) = delete;
};

// The loss itself is forecast only from losses that the job itself has shown.
void fillForecast(JobPlan& plan, const Demand& demand, std::int32_t units, const JobHistory& history,
                  double epoch) {
  plan.predictedReduction = demand.reduction(units, epoch);
  plan.gainPerCore = demand.gainPerCoreSecond(units, demand.after(units).value_or(units + 1), epoch);
  if (!ownModel(history)) return;
  const forecast::Curve& curve = history.knownFuture ? demand.curve : history.losses.model->curve;
  plan.forecast = Loss(curve.at(demand.iteration + demand.iterations(units, epoch)));
}

void fillPlan(JobPlan& plan, const Decided& decided, std::size_t n, const DecisionContext& context) {
  const JobSnapshot& job = context.snapshot.jobs[decided.jobs.jobs[n]];
  const std::int32_t units = decided.allocation[n];
  const Size size = targetOf(decided.jobs, n, units, job.view->job.spec.workers.cpu, plan);
  plan.target = size.workers;
  plan.targetCpu = size.cpu;
  const auto place = decided.inProblem[n];
  if (plan.phase == Phase::Quality)
    fillForecast(plan, decided.jobs.demands[n], units, *job.history, context.settings.epoch.count());
  const auto& gains = decided.division.gains;
  if (place && !gains.empty()) plan.gainPerCore = gains[*place].next.value_or(plan.gainPerCore);
  plan.reason = reasonOf({.context = context,
                          .problem = decided.problem,
                          .division = decided.division,
                          .left = decided.left,
                          .job = job,
                          .plan = plan,
                          .sizes = decided.jobs.sizes[n],
                          .demand = decided.jobs.demands[n],
                          .units = units,
                          .weight = context.weightOf(decided.jobs.jobs[n]),
                          .place = place});
}

}  // namespace

std::optional<double> divide(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans) {
  const Decided decided(context, admitted, plans);
  shareWork(admitted.size(), threadsFor(admitted.size(), kReasonsForAThread),
            [&](std::size_t begin, std::size_t end) {
              for (std::size_t n = begin; n < end; ++n) fillPlan(plans[admitted[n]], decided, n, context);
            });
  return decided.division.price;
}

}  // namespace slaq::scheduler
