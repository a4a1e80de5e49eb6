#include "schedule/contest.h"

#include <algorithm>
#include <cmath>

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

void setSizes(Candidate& candidate, const Sizes& sizes) {
  candidate.min = sizes.min;
  candidate.max = sizes.max;
  candidate.perUnit = sizes.perUnit;
  candidate.offset = sizes.offset;
  candidate.inPlace = sizes.team > Workers(0);
}

// As learned of the job itself; before, as configured. A job whose pauses are as long as the horizon would
// never be resized again, nor its pauses learned anew: they count half of it at most.
void setPauses(Candidate& candidate, const JobHistory& history, const ResizePrice& price) {
  if (candidate.inPlace) return;
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

// The bounds within which the policy may move the job this time. A fair division asks for no loss; look-ahead
// stops no job that learns for the fair share of others.
void bound(Candidate& candidate, std::int32_t heldUnits, const JobPlan& plan, const Settings& settings) {
  const PolicyName policy = settings.policy;
  const std::int32_t held = std::clamp(heldUnits, candidate.min, candidate.max);
  const bool learnsOn =
      plan.standing == Standing::Learning && looksAhead(policy) && heldUnits > 0 && !isFree(settings.price);
  if (plan.standing == Standing::Resizing || learnsOn) {
    candidate.min = candidate.max = held;
  } else if (plan.standing == Standing::Held && plan.held > Workers(0) && goesByForecasts(policy)) {
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
// have more where the next epoch can take it back for nothing: the beginning is when cores buy most.
constexpr double kDoubtful = 0.1;
constexpr double kDoubtfulShare = 0.5;
constexpr double kUntestedShare = 0.7;

double trustedShareOf(const JobHistory& history, const Settings& settings) {
  if (!looksAhead(settings.policy)) return 1;
  if (settings.policy == PolicyName::Oracle && history.foresight) return 1;
  const auto error = history.model ? history.model->backTestError : std::nullopt;
  if (!error && isFree(settings.price)) return kUntestedShare;
  return error.value_or(1) > kDoubtful ? kDoubtfulShare : 1;
}

void boundByDoubt(Contest& contest, const Terms& terms) {
  if (contest.jobs.size() < 2) return;
  const double all = inCores(contest.budget.all);
  double usable = 0;
  for (const auto& each : contest.candidates) usable += inCores(each.cores(each.max));
  for (std::size_t n = 0; n < contest.jobs.size(); ++n) {
    Candidate& candidate = contest.candidates[n];
    const JobHistory& history = *terms.snapshot.jobs[contest.jobs[n]].history;
    const double share = trustedShareOf(history, terms.settings);
    if (contest.standings[n] != Standing::Quality || share == 1) continue;
    const double unusedByOthers = all - (usable - inCores(candidate.cores(candidate.max)));
    const double units = std::max(share * all, unusedByOthers) / inCores(candidate.perUnit);
    const auto most = static_cast<std::int32_t>(std::min<double>(units, candidate.max));
    const std::int32_t kept = isFree(terms.settings.price) ? 0 : std::min(contest.held[n], candidate.max);
    candidate.max = std::max({candidate.min, most, kept});
  }
}

// Pins and resizes under way give way only where the minimums would not fit otherwise.
void makeMinimumsFit(Contest& contest, const Terms& terms) {
  if (leftBesideMinimums(contest.candidates, contest.budget).covers()) return;
  for (std::size_t n = 0; n < contest.jobs.size(); ++n) {
    const JobView& view = *terms.snapshot.jobs[contest.jobs[n]].view;
    const Sizes least = leastSizesOf(view.job.spec);
    Candidate& candidate = contest.candidates[n];
    if (least.team != contest.sizes[n].team) {
      setSizes(candidate, least);
      contest.sizes[n] = least;
    }
    candidate.min = std::min(candidate.max, least.min);
  }
}

}  // namespace

Contest contestOf(const Terms& terms, const std::vector<std::size_t>& admitted,
                  const std::vector<JobPlan>& plans) {
  Contest contest{admitted, {}, {}, {}, {}, {}, {}, terms.budget, Seconds::max()};
  const auto isLate = [&](const std::optional<Time>& change) {
    return change && terms.snapshot.now - *change < terms.settings.price.horizon;
  };
  for (const std::size_t i : admitted) {
    const JobSnapshot& job = terms.snapshot.jobs[i];
    const JobPlan& plan = plans[i];
    const JobSpec& spec = job.view->job.spec;
    const Sizes sizes = sizesOf(spec);
    const std::int32_t held = unitsOf(sizes, heldSizeOf(*job.view));
    Candidate candidate{.weight = static_cast<double>(terms.weights[i]), .group = terms.groups[i]};
    candidate.attained = job.history->attained;
    setSizes(candidate, sizes);
    setPauses(candidate, *job.history, terms.settings.price);
    if (plan.standing == Standing::Quality) {
      setFuture(candidate, *job.history, terms);
    }
    bound(candidate, held, plan, terms.settings);
    boundByCluster(candidate, held, sizes, job, terms.snapshot.now);
    contest.candidates.push_back(candidate);
    contest.sizes.push_back(sizes);
    contest.held.push_back(held);
    contest.standings.push_back(plan.standing);
    for (const auto& change : {job.history->grew, job.history->shrank}) {
      if (change) contest.calm = std::min(contest.calm, terms.snapshot.now - *change);
    }
    contest.grewLately.push_back(isLate(job.history->grew));
    contest.shrankLately.push_back(isLate(job.history->shrank));
    contest.budget.take(driverCoresOf(spec), candidate.group);
  }
  makeMinimumsFit(contest, terms);
  boundByDoubt(contest, terms);
  return contest;
}

}  // namespace slaq
