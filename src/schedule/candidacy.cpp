#include "schedule/candidacy.h"

#include <algorithm>
#include <cmath>

#include "schedule/lifecycle.h"
#include "schedule/resize_watch.h"

namespace slaq {
namespace {

// Forecasts reach no further than so many epochs past the last sample.
constexpr double kExtrapolatedEpochs = 3;

// A change smaller than this share of the loss is the noise of its arithmetic.
constexpr double kNoise = 1e-7;

double noiseOf(const LossSeries& series) {
  return kNoise * std::max(std::abs(series.first().value()), std::abs(series.last().value()));
}

// The largest change seen (section 4.1). For a loss that never fell it is its range, and never less than
// noise: of a job that was only seen converged, noise is the largest change.
double normalizerOf(const LossSeries& series) {
  const double range = series.highest() - series.lowest();
  const double change = series.largestDecrease() > 0 ? series.largestDecrease() : range;
  const double normalizer = std::max(change, noiseOf(series));
  return normalizer > 0 ? normalizer : 1.0;
}

// As learned of the job itself; before, as configured. A job whose pauses are as long as the horizon would
// never be resized again, nor its pauses learned anew: they count half of it at most.
void setPauses(Candidate& candidate, const JobHistory& history, const ResizePrice& price) {
  if (candidate.inPlace || isFree(price)) return;
  const auto pause = [&](std::optional<Seconds> learned, Seconds configured) {
    return learned ? std::min(*learned, std::max(configured, 0.5 * price.horizon)).count()
                   : configured.count();
  };
  candidate.growPause = pause(history.pauses.grow(), price.grow);
  candidate.shrinkPause = pause(history.pauses.shrink(), price.shrink);
}

// What is certain takes the place of every forecast.
void setForesight(Candidate& candidate, const Foresight& foresight) {
  candidate.curve = foresight.curve;
  candidate.iteration = foresight.iteration;
  candidate.coreSecondsPerIteration = foresight.coreSecondsPerIteration;
  candidate.first = foresight.first;
  candidate.final = foresight.final;
}

void setForecast(Candidate& candidate, const JobHistory& history, Time now, Seconds epoch) {
  const LossSeries& series = history.series;
  candidate.curve = history.model->curveToDecideBy();
  candidate.coreSecondsPerIteration = *likelyCostOf(history);
  if (series.empty()) return;  // what the population says: from a level of 1 down to 0
  candidate.iteration = iterationAt(history, now, kExtrapolatedEpochs * epoch).value();
  candidate.normalizer = normalizerOf(series);
  candidate.first = series.first().value();
  candidate.final = history.model->forecastFinal(series.lastIteration().value());
  if (candidate.first - candidate.final <= noiseOf(series)) candidate.final = candidate.first;
}

void setFuture(Candidate& candidate, const JobHistory& history, const Terms& terms) {
  const Settings& settings = terms.settings;
  if (settings.policy == PolicyName::Oracle && history.foresight) {
    setForesight(candidate, *history.foresight);
  } else {
    setForecast(candidate, history, terms.snapshot.now, settings.epoch);
  }
  const double range = candidate.first - candidate.final;
  if (looksAhead(settings.policy) && range > 0) candidate.normalizer = range;
}

std::int32_t unitsOf(const Sizes& sizes, const Size& size) {
  if (size.workers == Workers(0)) return 0;
  return sizes.team > Workers(0) ? sizes.unitsWith(size.cpu.value_or(Cores())) : size.workers.value();
}

// Look-ahead stops no job whose loss may yet appear for the fair share of others.
bool learnsOn(const Candidate& candidate, const JobHistory& history, const Terms& terms) {
  return weighsEachChange(terms.settings) && !candidate.inPlace &&
         !isOverdue(history, terms.snapshot.now, terms.settings);
}

// The bounds within which the policy may move the job this time. A fair division asks for no loss.
void bound(Candidate& candidate, std::int32_t heldUnits, const JobPlan& plan, const JobHistory& history,
           const Terms& terms) {
  const std::int32_t held = std::clamp(heldUnits, candidate.min, candidate.max);
  const bool stays =
      plan.standing == Standing::Learning && heldUnits > 0 && learnsOn(candidate, history, terms);
  if (plan.standing == Standing::Resizing || stays) {
    candidate.min = candidate.max = held;
  } else if (plan.standing == Standing::Held && plan.held > Workers(0) &&
             goesByForecasts(terms.settings.policy)) {
    candidate.max = held;
  }
}

// What the cluster cannot do is not asked of it, for a while or ever.
void boundByCluster(Candidate& candidate, std::int32_t heldUnits, const Sizes& sizes, const JobSnapshot& job,
                    Time now) {
  const auto& cpu = job.view->workers.cpu;
  const bool running = heldUnits > 0;
  if (const auto most = growsUpTo(*job.history, now)) candidate.max = std::max(1, unitsOf(sizes, *most));
  if (running && cpu && (cpu->obstacle || cpu->impossible)) {
    candidate.max = std::min(candidate.max, std::max(1, heldUnits));
  }
  candidate.max = std::min(candidate.max, sizes.max);
  candidate.min = std::min(candidate.min, candidate.max);
  if (running && cpu && cpu->impossible) candidate.min = candidate.max;
}

// A forecast that failed its back-test takes no more than so much of all cores. One that had none yet may
// have more where the next epoch can take it back for nothing: the beginning is when cores buy most. Not so
// after two losses: how it goes on from there is a guess, and the third will tell.
constexpr double kDoubtful = 0.1;
constexpr double kDoubtfulShare = 0.5;
constexpr double kUntestedShare = 0.6;
constexpr double kGuessedShare = 0.3;

double trustedShareOf(const JobHistory& history, const Settings& settings) {
  if (settings.policy == PolicyName::Oracle && history.foresight) return 1;
  const auto error = history.model ? history.model->backTestError : std::nullopt;
  if (!error && isFree(settings.price)) return history.series.size() == 2 ? kGuessedShare : kUntestedShare;
  return error.value_or(1) > kDoubtful ? kDoubtfulShare : 1;
}

// It has come so near to its end, by a forecast to be trusted, that it has no use for more than its least.
constexpr double kNearlyDone = 0.01;

bool isNearlyDone(const Candidate& candidate, const JobHistory& history) {
  return ownModel(history) && candidate.level(candidate.min, 0) < kNearlyDone * candidate.weight;
}

}  // namespace

void setSizes(Candidate& candidate, const Sizes& sizes) {
  candidate.min = sizes.min;
  candidate.max = sizes.max;
  candidate.perUnit = sizes.perUnit;
  candidate.offset = sizes.offset;
  candidate.inPlace = sizes.team > Workers(0);
}

std::int32_t heldUnitsOf(const JobView& view, const Sizes& sizes) { return unitsOf(sizes, heldSizeOf(view)); }

Candidate candidateOf(const Entrant& entrant, const Terms& terms) {
  const JobSnapshot& job = terms.snapshot.jobs[entrant.job];
  const JobHistory& history = *job.history;
  Candidate candidate{.weight = static_cast<double>(terms.weightOf(entrant.job)),
                      .group = terms.groupOf(entrant.job)};
  candidate.attained = history.attained;
  setSizes(candidate, entrant.sizes);
  setPauses(candidate, history, terms.settings.price);
  if (entrant.plan.standing == Standing::Quality) setFuture(candidate, history, terms);
  bound(candidate, entrant.held, entrant.plan, history, terms);
  boundByCluster(candidate, entrant.held, entrant.sizes, job, terms.snapshot.now);
  return candidate;
}

Trust trustIn(const Candidate& candidate, const Entrant& entrant, const Terms& terms) {
  if (entrant.plan.standing != Standing::Quality || !looksAhead(terms.settings.policy)) return {};
  const JobHistory& history = *terms.snapshot.jobs[entrant.job].history;
  const double share = trustedShareOf(history, terms.settings);
  return {share, share == 1 && isNearlyDone(candidate, history)};
}

}  // namespace slaq
