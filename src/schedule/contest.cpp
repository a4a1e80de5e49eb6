#include "schedule/contest.h"

#include <algorithm>
#include <cmath>

#include "base/prefetch.h"
#include "base/share_work.h"
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

// What of a job counts for others.
struct Footing {
  double trusted = 1;       // the share of all cores that its forecast is trusted with
  bool nearlyDone = false;  // by a forecast to be trusted
  Cores driver;
  Seconds calm = Seconds::max();  // since it was last told to change
};

Cores usableBy(const Candidate& candidate, const Footing& footing) {
  return candidate.cores(footing.nearlyDone ? candidate.min : candidate.max);
}

void boundByDoubt(Contest& contest, std::span<const Footing> footings, const Terms& terms) {
  contest.doubted.resize(contest.jobs.size());
  if (contest.jobs.size() < 2 || !looksAhead(terms.settings.policy)) return;
  const double all = inCores(contest.budget.all);
  double usable = 0;
  for (std::size_t n = 0; n < contest.jobs.size(); ++n) {
    usable += inCores(usableBy(contest.candidates[n], footings[n]));
  }
  for (std::size_t n = 0; n < contest.jobs.size(); ++n) {
    const double share = footings[n].trusted;
    if (contest.standings[n] != Standing::Quality || share == 1) continue;
    Candidate& candidate = contest.candidates[n];
    const double unusedByOthers = all - (usable - inCores(candidate.cores(candidate.max)));
    const double units = std::max(share * all, unusedByOthers) / inCores(candidate.perUnit);
    const auto most = static_cast<std::int32_t>(std::min<double>(units, candidate.max));
    const std::int32_t kept = isFree(terms.settings.price) ? 0 : std::min(contest.held[n], candidate.max);
    const std::int32_t bound = std::max({candidate.min, most, kept});
    contest.doubted[n] = bound < candidate.max;
    candidate.max = bound;
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

// Seats for all, to be taken by several threads.
Contest contestFor(const std::vector<std::size_t>& admitted, const Budget& budget) {
  const std::size_t size = admitted.size();
  Contest contest{admitted, {}, {}, {}, {}, {}, {}, {}, budget, Seconds::max()};
  contest.candidates.resize(size);
  contest.sizes.resize(size);
  contest.held.resize(size);
  contest.standings.resize(size);
  contest.grewLately.resize(size);
  contest.shrankLately.resize(size);
  return contest;
}

Footing footingOf(const Candidate& candidate, Standing standing, const JobSnapshot& job, const Terms& terms) {
  const JobHistory& history = *job.history;
  Footing footing{.trusted = trustedShareOf(history, terms.settings),
                  .driver = driverCoresOf(job.view->job.spec)};
  footing.nearlyDone =
      standing == Standing::Quality && footing.trusted == 1 && isNearlyDone(candidate, history);
  for (const auto& change : {history.grew, history.shrank}) {
    if (change) footing.calm = std::min(footing.calm, terms.snapshot.now - *change);
  }
  return footing;
}

// The job takes its seat.
Footing enter(Contest& contest, std::size_t n, const JobPlan& plan, const Terms& terms) {
  const std::size_t i = contest.jobs[n];
  const JobSnapshot& job = terms.snapshot.jobs[i];
  const JobHistory& history = *job.history;
  const Sizes sizes = sizesOf(job.view->job.spec);
  const std::int32_t held = unitsOf(sizes, heldSizeOf(*job.view));
  Candidate candidate{.weight = static_cast<double>(terms.weights[i]), .group = terms.groups[i]};
  candidate.attained = history.attained;
  setSizes(candidate, sizes);
  setPauses(candidate, history, terms.settings.price);
  if (plan.standing == Standing::Quality) setFuture(candidate, history, terms);
  bound(candidate, held, plan, history, terms);
  boundByCluster(candidate, held, sizes, job, terms.snapshot.now);
  contest.candidates[n] = candidate;
  contest.sizes[n] = sizes;
  contest.held[n] = held;
  contest.standings[n] = plan.standing;
  const auto isLate = [&](const std::optional<Time>& change) {
    return change && terms.snapshot.now - *change < terms.settings.price.horizon;
  };
  contest.grewLately[n] = isLate(history.grew);
  contest.shrankLately[n] = isLate(history.shrank);
  return footingOf(candidate, plan.standing, job, terms);
}

// What entering reads of a job first, and what that points to when it is there.
void prefetchFor(const JobSnapshot& job) {
  const JobSpec& spec = job.view->job.spec;
  prefetch(spec.workers);
  prefetch(spec.driver);
  prefetch(job.view->workers);
  prefetch(job.history->pauses);
  prefetch(job.history->model);
  prefetch(job.history->runtime);
}

// A thread starts in the time of so many jobs.
constexpr std::size_t kJobsForAThread = 1024;

}  // namespace

Contest contestOf(const Terms& terms, const std::vector<std::size_t>& admitted,
                  const std::vector<JobPlan>& plans) {
  Contest contest = contestFor(admitted, terms.budget);
  std::vector<Footing> footings(admitted.size());
  const std::size_t threads = threadsFor(admitted.size(), kJobsForAThread);
  shareWork(admitted.size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      if (n + 1 < end) prefetchFor(terms.snapshot.jobs[admitted[n + 1]]);
      footings[n] = enter(contest, n, plans[admitted[n]], terms);
    }
  });
  for (std::size_t n = 0; n < admitted.size(); ++n) {
    contest.calm = std::min(contest.calm, footings[n].calm);
    contest.budget.take(footings[n].driver, terms.groups[admitted[n]]);
  }
  makeMinimumsFit(contest, terms);
  boundByDoubt(contest, footings, terms);
  return contest;
}

}  // namespace slaq
