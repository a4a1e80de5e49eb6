#include "scheduler/decision/demand_builder.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "scheduler/constants.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/state/change_cost.h"
#include "scheduler/state/remaining.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::scheduler {
namespace {

// A change smaller than this share of the loss is arithmetic noise.
constexpr double kNoise = 1e-7;

double noiseOf(const forecast::LossSeries& series) {
  return kNoise * std::max(std::abs(series.first().value()), std::abs(series.last().value()));
}

// The largest change seen (section 4.1), or for a loss that never fell its range. It is never less than the
// noise: for a job that was only seen converged, the noise is the largest change.
double normalizerOf(const forecast::LossSeries& series) {
  const double range = series.highest() - series.lowest();
  const double change = series.largestDecrease() > 0 ? series.largestDecrease() : range;
  const double normalizer = std::max(change, noiseOf(series));
  return normalizer > 0 ? normalizer : 1.0;
}

void setCostOfChange(Demand& demand, const JobHistory& history, const WorkersSpec& workers,
                     const ResizePrice& price) {
  if (demand.inPlace || demand.starting || isFree(price)) return;
  const ChangeCost cost = changeCostOf(history, workers, price);
  demand.growPause = cost.growPause.count();
  demand.shrinkPause = cost.shrinkPause.count();
  demand.lost = cost.lost.count();
  const double lost = cost.isLostKnown ? demand.lost : 0;
  demand.horizon = kPausesToPayIn * (std::max(demand.growPause, demand.shrinkPause) + lost);
}

// The known future replaces every forecast.
void setKnownFuture(Demand& demand, const KnownFuture& knownFuture) {
  demand.curve = knownFuture.curve;
  demand.iteration = knownFuture.iteration;
  demand.speed = knownFuture.speed;
  demand.first = knownFuture.first;
  demand.final = knownFuture.final;
}

// The quantile of the standard normal distribution at 5/6.
constexpr double kFiveSixths = 0.967;

// The middles of three equally likely parts of an iteration's possible time. The time that the current
// iteration has taken so far is not counted: the program's position in it is unknown, and newcomers of the
// GPU workloads were worse off with it. A job's first size ignores the doubt as well, because the next epochs
// correct it.
std::array<double, 3> slownessOf(const Demand& demand, const JobHistory& history) {
  if (demand.held == 0) return {1, 1, 1};
  const double factor = std::exp(kFiveSixths * history.runtime.spread());
  return {1 / factor, 1, factor};
}

void setForecast(Demand& demand, const JobHistory& history, Time now, Seconds epoch) {
  const forecast::LossSeries& series = history.losses.series;
  demand.curve = history.losses.model->curveToDecideBy();
  demand.speed = *history.runtime.speed();
  demand.slowness = slownessOf(demand, history);
  if (series.empty()) return;  // the population's curve, from level 1 down to 0
  const Seconds most = std::max(kExtrapolatedEpochs * epoch, oldestSample(history).value_or(epoch));
  demand.iteration = iterationAt(history, now, most).value();
  demand.normalizer = normalizerOf(series);
  demand.first = demand.ceiling = series.first().value();
  demand.final = history.losses.model->finalToDecideBy(series.lastIteration().value());
  if (demand.first - demand.final <= noiseOf(series)) demand.final = demand.first;
}

Seconds leftOfStart(Seconds expected, Seconds used) {
  return std::max(expected - used, kLeastLeftOfStart * std::max(expected, used));
}

// Sets the work before the first iteration of a job that reaches it sooner with more CPU.
void setStart(Demand& demand, const JobHistory& history) {
  if (!demand.inPlace || !history.losses.series.empty() || !history.expected.start) return;
  demand.startWork = leftOfStart(*history.expected.start, history.pods.cpuReadings.used()).count();
}

void setFuture(Demand& demand, const JobHistory& history, const JobSpec& spec,
               const DecisionContext& context) {
  if (history.knownFuture) {
    setKnownFuture(demand, *history.knownFuture);
  } else {
    setForecast(demand, history, context.snapshot.now, context.settings.epoch);
  }
  const double range = demand.first - demand.final;
  if (context.settings.policy->normalizesByRange() && range > 0) demand.normalizer = range;
  const bool counts = context.settings.policy->countsCompletion() || spec.value == Value::Completion;
  if (!counts || !history.losses.model) return;
  // If the end of a training is not known, the training is taken to be half done.
  demand.remaining =
      remainingIterations(history, spec.stop, demand.iteration).value_or(std::max(1.0, demand.iteration));
  demand.normalizer = 1;
}

std::int32_t unitsOf(const Sizes& sizes, const Size& size) {
  if (size.workers == Workers(0)) return 0;
  return sizes.team > Workers(0) ? sizes.unitsWith(size.cpu.value_or(Cores())) : size.workers.value();
}

void raiseMin(Demand& demand, std::int32_t least, BoundBy rule) {
  if (least <= demand.min) return;
  demand.min = least;
  demand.minBy = rule;
}

// Sets the bounds within which the policy may move a job in this phase.
void boundByPhase(Demand& demand, const JobPlan& plan, const DecisionContext& context) {
  const std::int32_t held = std::clamp(demand.held, demand.min, demand.max);
  if (plan.phase == Phase::Trial) {
    demand.min = demand.max = plan.target.value();
  } else if (plan.phase == Phase::Resizing) {
    demand.min = demand.max = held;
  } else if (plan.phase == Phase::Quality && demand.starting) {
    raiseMin(demand, held, BoundBy::Start);
  } else if (plan.phase == Phase::Held && plan.held > Workers(0) &&
             context.settings.policy->usesForecasts()) {
    demand.max = held;
  }
}

bool wasLately(const std::optional<Time>& change, const DecisionContext& context) {
  return change && context.snapshot.now - *change < context.settings.price.horizon;
}

// Keeps the demand within what the cluster can do now, or can do at all.
void boundByCluster(Demand& demand, const Sizes& sizes, const JobSnapshot& job, Time now) {
  const auto& cpu = job.view->workers.cpu;
  const bool running = demand.held > 0;
  if (const auto most = growsUpTo(*job.history, now))
    demand.max = std::min(demand.max, atMostAllowed(sizes.allowed, 1, std::max(1, unitsOf(sizes, *most))));
  if (const auto& queue = job.view->queue; queue && queue->most)
    demand.max = std::min(demand.max, atMostAllowed(sizes.allowed, sizes.min, queue->most->value()));
  if (running && cpu && (cpu->obstacle || cpu->impossible)) {
    demand.max = std::min(demand.max, std::max(1, demand.held));
  }
  demand.max = std::min(demand.max, sizes.max);
  if (demand.max != demand.held && demand.min < demand.max) demand.max = demand.atMost(demand.max);
  demand.min = std::min(demand.min, demand.max);
  if (running && cpu && cpu->impossible) demand.min = demand.max;
}

// A job that goes on from a checkpoint after each change may make no progress at all if it changes too often.
// So no growth is taken back before the time within which it was to pay.
void keepLastGrowth(Demand& demand, const JobHistory& history, Time now) {
  const bool isToPay = history.resizes.grew && now - *history.resizes.grew < Seconds(demand.horizon);
  if (demand.runs() && isToPay) raiseMin(demand, demand.kept(), BoundBy::LastGrowth);
}

// A job that is nearly done has no use for more than its minimum. So a newcomer whose forecast is not tested
// yet may have more than its trusted share beside it.
bool isNearlyDone(const Demand& demand, const JobHistory& history) {
  return !demand.remaining && ownModel(history) && demand.level(demand.min, 0) < kDoneLevel * demand.weight;
}

}  // namespace

void setSizes(Demand& demand, const Sizes& sizes) {
  demand.min = sizes.min;
  demand.max = sizes.max;
  demand.minBy = demand.maxBy = BoundBy::Owner;
  demand.perUnit = sizes.perUnit;
  demand.offset = sizes.offset;
  demand.allowed = sizes.allowed;
  demand.inPlace = sizes.team > Workers(0);
}

Demand demandOf(const AdmittedJob& admitted, const DecisionContext& context) {
  const JobSnapshot& job = context.snapshot.jobs[admitted.job];
  const JobHistory& history = *job.history;
  Demand demand{.weight = static_cast<double>(context.weightOf(admitted.job)),
                .group = context.groupOf(admitted.job)};
  demand.attained = history.pods.attained;
  demand.held = unitsOf(admitted.sizes, heldSizeOf(*job.view));
  demand.awaited = history.awaited ? unitsOf(admitted.sizes, *history.awaited) : 0;
  demand.starting = isStarting(history);
  demand.grewLately = wasLately(history.resizes.grew, context);
  demand.shrankLately = wasLately(history.resizes.shrank, context);
  setSizes(demand, admitted.sizes);
  setCostOfChange(demand, history, job.view->job.spec.workers, context.settings.price);
  if (admitted.plan.phase == Phase::Quality) setFuture(demand, history, job.view->job.spec, context);
  setStart(demand, history);
  boundByPhase(demand, admitted.plan, context);
  boundByCluster(demand, admitted.sizes, job, context.snapshot.now);
  if (demand.lost > 0 && job.view->job.spec.scheduling != Scheduling::Fair)
    keepLastGrowth(demand, history, context.snapshot.now);
  return demand;
}

Trust trustIn(const Demand& demand, const AdmittedJob& admitted, const DecisionContext& context) {
  if (admitted.plan.phase != Phase::Quality) return {};
  const JobHistory& history = *context.snapshot.jobs[admitted.job].history;
  const Settings& settings = context.settings;
  const double share = settings.policy->trustedShare(backTestErrorOf(history));
  return {share, share == 1 && isNearlyDone(demand, history)};
}

}  // namespace slaq::scheduler
