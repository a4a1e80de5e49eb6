#include "loop/status/status.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "forecast/curves/convergence_model.h"
#include "loop/status/conditions.h"
#include "scheduler/constants.h"
#include "scheduler/explain/plan_text.h"
#include "scheduler/state/remaining.h"

namespace slaq::loop {
namespace {

constexpr std::array kMilestones = {90, 95, 99};  // percent

// The status marks at most this many sizes as measured.
constexpr std::size_t kMostMeasured = 12;

std::vector<Milestone> milestonesOf(const forecast::ConvergenceModel& model, double first, double iteration) {
  std::vector<Milestone> ahead;
  for (const int percent : kMilestones) {
    const auto left = iterationsToLevel(model, first, iteration, 1 - 0.01 * percent);
    if (left && *left > 0) ahead.push_back({percent, Iterations(std::ceil(*left))});
  }
  return ahead;
}

// The sizes whose speed is known best. The next controller goes on from them.
std::set<Workers> measuredSizes(const scheduler::RuntimeModel& runtime) {
  auto measured = runtime.measured();
  std::ranges::sort(measured, std::greater(), &forecast::TimedSize::weight);
  if (measured.size() > kMostMeasured) measured.resize(kMostMeasured);
  std::set<Workers> sizes;
  for (const auto& each : measured) sizes.insert(Workers(static_cast<std::int32_t>(std::lround(each.size))));
  return sizes;
}

// Only jobs whose number of workers changes have speeds in their status.
std::vector<SizeSpeed> speedsOf(const scheduler::JobHistory& history, const JobSpec& spec) {
  const scheduler::RuntimeModel& runtime = history.runtime;
  const auto speed = runtime.speed();
  const bool isSized =
      spec.workers.scaling == Scaling::Replicas && scheduler::coresOf(spec, {Workers(1), {}}) > Cores();
  if (!speed || !isSized) return {};
  const std::set<Workers> measured = measuredSizes(runtime);
  std::set<Workers> sizes = measured;
  for (const Workers size : scheduler::sizesToCompare(spec.workers, runtime.reach())) sizes.insert(size);
  std::vector<SizeSpeed> speeds;
  for (const Workers size : sizes) {
    const double cores = inCores(scheduler::coresOf(spec, {size, {}}));
    speeds.push_back({size, Seconds(1 / speed->at(cores)), measured.contains(size)});
  }
  return speeds;
}

std::optional<ResizeCost> resizeCostOf(const scheduler::LearnedPauses& pauses) {
  const ResizeCost cost{.grow = pauses.grow(), .shrink = pauses.shrink(), .lost = pauses.lost()};
  return cost == ResizeCost() ? std::nullopt : std::optional(cost);
}

// Losses are reported as the program exports them.
Progress progressOf(const scheduler::JobHistory& history, LossMode mode, const StopSpec& stop) {
  Progress progress{.iteration = history.losses.newest, .loss = oriented(mode, history.losses.series.last())};
  if (!ownModel(history)) return progress;
  const double iteration = progress.iteration.value();
  const double first = history.losses.series.first().value();
  const double final = history.losses.model->forecastFinal(iteration);
  progress.forecastFinal = oriented(mode, Loss(final));
  progress.level = forecast::levelNow(history.losses.series, *history.losses.model);
  progress.convergence = name(history.losses.model->curve.family);
  if (progress.level) progress.milestones = milestonesOf(*history.losses.model, first, iteration);
  const auto speed = history.runtime.speed();
  const double cores = inCores(history.pods.running);
  const auto ahead = remainingIterations(history, stop, iteration);
  // Without a known length the end of the program is not known. Only the time until it has converged is.
  const bool isConverging =
      progress.level && (stop.lossReductionPercent || *progress.level > scheduler::kDoneLevel);
  const bool hasEnd = isConverging || stop.maxIterations || history.expected.length;
  if (ahead && hasEnd && history.runtime.isMeasured() && cores > 0)
    progress.remaining = Seconds(*ahead / speed->at(cores));
  return progress;
}

Decision decisionOf(const scheduler::JobPlan& plan, const JobView& view, Time now) {
  const auto& before = view.status.decision;
  const bool same = before && before->workers == plan.target && before->workerCpu == plan.targetCpu;
  return {.workers = plan.target,
          .cores = scheduler::coresOf(view.job.spec, {plan.target, plan.targetCpu}),
          .predictedReduction = plan.predictedReduction,
          .gainPerCore = plan.gainPerCore,
          .reason = sentenceOf(plan),
          .since = same ? before->since : now,
          .price = {},
          .forecast =
              plan.forecast ? std::optional(oriented(view.job.spec.loss.mode, *plan.forecast)) : std::nullopt,
          .workerCpu = plan.targetCpu};
}

// The numbers of a status, rounded as its readers see them.
std::vector<std::string> figuresOf(const JobStatus& status) {
  std::vector<std::string> figures;
  const auto add = [&](std::optional<double> value, int digits) {
    figures.push_back(value ? toDecimal(*value, digits) : "");
  };
  const auto lossOf = [](const std::optional<Loss>& loss) {
    return loss ? std::optional(loss->value()) : std::nullopt;
  };
  if (const auto& progress = status.progress) {
    add(progress->iteration.value(), 3);
    add(progress->loss.value(), 3);
    add(progress->level, 3);
    add(progress->remaining ? std::optional(progress->remaining->count()) : std::nullopt, 2);
    add(lossOf(progress->forecastFinal), 3);
  }
  if (const auto& decision = status.decision) {
    add(decision->price, 1);
    add(lossOf(decision->forecast), 3);
    figures.push_back(decision->workerCpu ? toString(*decision->workerCpu) : "");
    if (decision->workers == Workers(0)) figures.push_back(decision->reason);  // what the job waits for
  }
  return figures;
}

void tellWhatIsKnown(JobStatus& status, const scheduler::JobHistory& history, const JobSpec& spec) {
  if (!history.losses.series.empty()) status.progress = progressOf(history, spec.loss.mode, spec.stop);
  if (status.progress && finished(status.state)) {
    status.progress->remaining.reset();
    status.progress->milestones.clear();
  }
  status.speeds = speedsOf(history, spec);
  status.resizeCost = resizeCostOf(history.pauses);
  status.kind.reset();
  if (!history.kind.empty())
    status.kind = KindStatus{.name = history.kind, .trainings = history.expected.trainingsOfKind};
}

}  // namespace

JobStatus statusOf(const scheduler::JobSnapshot& job, const scheduler::JobPlan& plan,
                   const scheduler::Snapshot& snapshot, const scheduler::Settings& settings) {
  const JobView& view = *job.view;
  JobStatus status = view.status;
  status.state = plan.state;
  status.observedGeneration = view.job.generation;
  status.replicas = view.workers.active;
  status.ready = view.workers.ready;
  status.desired = plan.target;
  // A job has started when its pods are asked for, as Kubernetes defines it for Jobs. After a suspension by
  // its owner, it starts again when they are asked for again.
  if (plan.state == JobState::Suspended && !view.job.deleting) {
    status.started.reset();
  } else if (!status.started && runs(view.workers) && !finished(plan.state)) {
    status.started = snapshot.now;
  }
  if (finished(plan.state) && !status.completed) status.completed = snapshot.now;
  // A job that is over does not report what is learned about its kind later.
  if (!finished(view.status.state)) tellWhatIsKnown(status, *job.history, view.job.spec);
  status.decision.reset();
  if (!finished(plan.state)) status.decision = decisionOf(plan, view, snapshot.now);
  setConditions(status, job, plan, snapshot, settings);
  return status;
}

Urgency urgencyOf(const JobStatus& written, const JobStatus& next) {
  const auto sizeOf = [](const JobStatus& status) {
    const auto& decision = status.decision;
    return decision ? std::pair(decision->workers, decision->workerCpu)
                    : std::pair(Workers(0), std::optional<Cores>());
  };
  const bool news = written.state != next.state || written.conditions != next.conditions ||
                    written.observedGeneration != next.observedGeneration ||
                    written.started != next.started || written.completed != next.completed ||
                    written.replicas != next.replicas || written.ready != next.ready ||
                    written.desired != next.desired || sizeOf(written) != sizeOf(next);
  if (news) return Urgency::News;
  return figuresOf(written) != figuresOf(next) ? Urgency::Drift : Urgency::None;
}

}  // namespace slaq::loop
