#include "schedule/division.h"

#include <algorithm>

#include "schedule/contest.h"
#include "schedule/fair_share.h"
#include "schedule/least_attained.h"
#include "schedule/look_ahead.h"
#include "schedule/min_quality.h"
#include "schedule/reason.h"
#include "schedule/relocation.h"
#include "schedule/total_quality.h"

namespace slaq {
namespace {

// What a job has is so near to its part that it is not stopped for the difference.
constexpr double kNear = 0.25;

bool isNear(const Contest& contest, std::size_t n, std::int32_t part, const Settings& settings) {
  const std::int32_t held = contest.held[n];
  return weighsEachChange(settings) && !contest.candidates[n].inPlace && std::abs(part - held) < kNear * held;
}

// The jobs that no forecast moves. Learning and fair ones get their part of a fair division among all. Held
// ones keep what they have as long as it and what the forecast ones have fit beside the others; so do
// learning ones that are near their part.
Allocation withoutForecast(const Contest& contest, const Settings& settings) {
  const auto hasForecast = [](Standing standing) { return standing == Standing::Quality; };
  if (std::ranges::all_of(contest.standings, hasForecast)) return Allocation(contest.jobs.size());
  const Allocation fair = fairShare(contest.candidates, contest.budget);
  auto candidates = contest.candidates;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    Candidate& candidate = candidates[n];
    const Standing standing = contest.standings[n];
    const std::int32_t held = std::clamp(contest.held[n], candidate.min, candidate.max);
    if (standing == Standing::Quality) {
      candidate.max = held;
    } else if (standing == Standing::Learning && isNear(contest, n, fair[n], settings)) {
      candidate.min = std::min(held, fair[n]);
      candidate.max = held;
    } else if (standing == Standing::Learning || standing == Standing::Fair) {
      candidate.min = candidate.max = fair[n];
    }
  }
  return fairShare(candidates, contest.budget);
}

// The part of the contest that the policy decides.
struct Part {
  std::vector<std::size_t> places;  // index into the contest
  std::vector<Candidate> candidates;
  Allocation held;

  void add(const Contest& contest, std::size_t n) {
    places.push_back(n);
    candidates.push_back(contest.candidates[n]);
    held.push_back(contest.held[n]);
  }
};

Part partWithForecast(const Contest& contest) {
  Part part;
  for (std::size_t n = 0; n < contest.candidates.size(); ++n) {
    if (contest.standings[n] == Standing::Quality) part.add(contest, n);
  }
  return part;
}

Part whole(const Contest& contest) {
  Part part;
  for (std::size_t n = 0; n < contest.candidates.size(); ++n) part.add(contest, n);
  return part;
}

// Where resizes have a price, look-ahead decides when somebody came or went, and besides so often.
constexpr Seconds kCalm{20};

// Algorithm 1. The price is that of its own wish, before resizes that do not pay are taken back.
Aim totalQualityAim(const Settings& settings, Market& market, PriceSearch& search) {
  return {.allocate =
              [&](std::span<const Candidate> candidates, const Budget& budget) {
                const auto wanted = totalQualityByPrice(search, candidates, budget, settings.epoch);
                if (!market.price) market.price = priceOf(candidates, wanted, settings.epoch);
                return wanted;
              },
          .paying =
              [&](std::span<const Candidate> candidates, const Allocation& held, const Allocation& wanted) {
                return payingInTotal(candidates, held, wanted, settings.price);
              }};
}

Aim lookAheadAim(const Settings& settings, Market& market, PriceSearch& search) {
  Aim aim = totalQualityAim(settings, market, search);
  aim.allocate = [&](std::span<const Candidate> candidates, const Budget& budget) {
    const auto wanted = lookAhead(search, candidates, budget, settings.epoch);
    if (!market.price) market.price = priceOf(candidates, wanted, settings.epoch);
    return wanted;
  };
  return aim;
}

// A resize binds for the price's horizon, so it is the levels at its end that are compared: those at the next
// epoch would send all cores to one job after the other.
Seconds levelAhead(const Settings& settings) { return std::max(settings.epoch, settings.price.horizon); }

Aim minQualityAim(const Settings& settings) {
  return {
      .allocate = [&](std::span<const Candidate> candidates,
                      const Budget& budget) { return minQuality(candidates, budget, levelAhead(settings)); },
      .paying =
          [&](std::span<const Candidate> candidates, const Allocation& held, const Allocation& wanted) {
            return payingForTheWorst(candidates, held, wanted, settings.price);
          }};
}

Aim serviceAim(const Settings& settings) {
  const Seconds horizon = isFree(settings.price) ? settings.epoch : levelAhead(settings);
  return {.allocate = [horizon](std::span<const Candidate> candidates,
                                const Budget& budget) { return leastAttained(candidates, budget, horizon); },
          .paying = payingForTheLeastServed};
}

Aim aimOf(const Settings& settings, Market& market, PriceSearch& search) {
  if (settings.policy == PolicyName::MinQuality) return minQualityAim(settings);
  return looksAhead(settings.policy) ? lookAheadAim(settings, market, search)
                                     : totalQualityAim(settings, market, search);
}

// Noise turns forecasts to and fro: a change that was to pay over the price's horizon is not reversed within
// it for another's gain; only those without a forecast, and cores that nobody wants, are reason enough.
Allocation withoutReversals(const Contest& contest, const Part& part, const Budget& budget, const Aim& aim,
                            const ResizePrice& price) {
  auto candidates = part.candidates;
  for (std::size_t p = 0; p < candidates.size(); ++p) {
    Candidate& candidate = candidates[p];
    if (part.held[p] < candidate.min) continue;
    const std::int32_t held = std::min(part.held[p], candidate.max);
    if (contest.shrankLately[part.places[p]]) candidate.max = held;
    if (contest.grewLately[part.places[p]]) candidate.min = held;
  }
  if (!leftBesideMinimums(candidates, budget).covers()) {
    return withoutIdleResizes(part.candidates, part.held, budget, aim, price);
  }
  auto wanted = withoutIdleResizes(candidates, part.held, budget, aim, price);
  const Budget idle = leftBeside(candidates, wanted, budget);
  bool isWanted = false;
  for (std::size_t p = 0; p < candidates.size(); ++p) {
    const Candidate& asIs = part.candidates[p];
    isWanted |= candidates[p].max < asIs.max && idle.fits(asIs.perUnit, asIs.group);
    candidates[p].min = wanted[p];
    candidates[p].max = asIs.max;
  }
  return isWanted ? withoutIdleResizes(candidates, part.held, budget, aim, price) : wanted;
}

// Somebody came or is to get what somebody left, or nothing was changed for long.
bool isTimeToMove(const Contest& contest, const Part& part, const Budget& budget) {
  Cores free = budget.all;
  Cores largest;
  for (std::size_t p = 0; p < part.places.size(); ++p) {
    if (part.held[p] < part.candidates[p].min) return true;
    free -= part.candidates[p].cores(part.held[p]);
    largest = std::max(largest, part.candidates[p].perUnit);
  }
  return free < Cores() || free >= largest || contest.calm >= kCalm;
}

Allocation keptBy(const Part& part) {
  Allocation kept = part.held;
  for (std::size_t p = 0; p < kept.size(); ++p) {
    kept[p] = std::clamp(kept[p], part.candidates[p].min, part.candidates[p].max);
  }
  return kept;
}

Allocation movedAhead(const Contest& contest, const Part& part, const Budget& budget,
                      const Settings& settings, Market& market) {
  const Allocation kept = keptBy(part);
  market.rests = !isTimeToMove(contest, part, budget) && leftBeside(part.candidates, kept, budget).covers();
  if (market.rests) return kept;
  return relocate(part.candidates, part.held, budget.all, levelAhead(settings));
}

bool isLimited(const Part& part) {
  return std::ranges::any_of(part.candidates, [](const Candidate& each) { return each.group != kNoGroup; });
}

Allocation settled(const Contest& contest, const Part& part, const Budget& budget, const Settings& settings,
                   const Aim& aim) {
  if (isFree(settings.price)) return aim.allocate(part.candidates, budget);
  return withoutReversals(contest, part, budget, aim, settings.price);
}

// What a core is worth where each change is weighed by itself: as if none had a price.
std::optional<double> priceOfFree(PriceSearch& search, const Part& part, const Budget& budget,
                                  Seconds epoch) {
  return priceOf(part.candidates, totalQualityByPrice(search, part.candidates, budget, epoch), epoch);
}

// What those without a forecast leave goes to the others by the policy.
Allocation byQuality(const Contest& contest, const Terms& terms, PriceSearch& search, Market& market) {
  const Settings& settings = terms.settings;
  Allocation result = withoutForecast(contest, settings);
  const Part part = partWithForecast(contest);
  Budget budget = leftBeside(contest.candidates, result, contest.budget);
  for (const std::size_t n : part.places) {
    const Candidate& candidate = contest.candidates[n];
    budget.take(Cores() - candidate.cores(result[n]), candidate.group);
  }
  const bool byLevel = settings.policy == PolicyName::MinQuality;
  search.forget();
  if (terms.snapshot.lastPrice) search.beginAt(*terms.snapshot.lastPrice);
  const bool byChange = weighsEachChange(settings) && !isLimited(part);
  const auto wanted = byChange ? movedAhead(contest, part, budget, settings, market)
                               : settled(contest, part, budget, settings, aimOf(settings, market, search));
  if (byChange) market.price = priceOfFree(search, part, budget, settings.epoch);
  market.reverses = byChange;
  for (std::size_t p = 0; p < part.places.size(); ++p) {
    result[part.places[p]] = wanted[p];
    if (!byLevel) continue;
    const double level = part.candidates[p].level(wanted[p], levelAhead(settings).count());
    market.worstLevel = std::max(market.worstLevel.value_or(level), level);
  }
  return result;
}

Allocation allocationOf(const Contest& contest, const Terms& terms, PriceSearch& search, Market& market) {
  const Settings& settings = terms.settings;
  switch (settings.policy) {
    case PolicyName::Fair:
      return fairShare(contest.candidates, contest.budget);
    case PolicyName::LeastAttainedService:
      return settled(contest, whole(contest), contest.budget, settings, serviceAim(settings));
    default:
      return byQuality(contest, terms, search, market);
  }
}

// A size that is kept is kept to the thousandth, on the grid of units or not.
Size targetOf(const Contest& contest, std::size_t n, std::int32_t units, const CpuBounds& cpu,
              const JobPlan& plan) {
  Size size = contest.sizes[n].at(units);
  if (size.cpu && plan.heldCpu && units == contest.held[n])
    size.cpu = std::clamp(*plan.heldCpu, cpu.min, cpu.max);
  return size;
}

// The loss is foretold only by what the job has shown itself.
void fillForecast(JobPlan& plan, const Candidate& candidate, std::int32_t units, const JobHistory& history,
                  Seconds epoch) {
  plan.predictedReduction = candidate.reduction(units, epoch.count());
  plan.gainPerCore = gainPerCore(candidate, units, epoch);
  if (!ownModel(history)) return;
  plan.forecast = Loss(candidate.curve.at(candidate.iteration + candidate.iterations(units, epoch.count())));
}

}  // namespace

std::optional<double> divide(const Terms& terms, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans, Workspace& workspace) {
  const Settings& settings = terms.settings;
  const Contest& contest = workspace.contest =
      contestOf(terms, admitted, plans, std::move(workspace.contest));
  Market market;
  const auto allocation = allocationOf(contest, terms, workspace.search, market);
  market.left = leftBeside(contest.candidates, allocation, contest.budget);
  for (std::size_t n = 0; n < admitted.size(); ++n) {
    JobPlan& plan = plans[admitted[n]];
    const JobSnapshot& job = terms.snapshot.jobs[admitted[n]];
    const Size size = targetOf(contest, n, allocation[n], job.view->job.spec.workers.cpu, plan);
    plan.target = size.workers;
    plan.targetCpu = size.cpu;
    if (plan.standing == Standing::Quality) {
      fillForecast(plan, contest.candidates[n], allocation[n], *job.history, settings.epoch);
    }
    plan.reason = reasonOf({terms, contest, market}, n, allocation[n], plan);
  }
  return market.price;
}

}  // namespace slaq
