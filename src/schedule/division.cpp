#include "schedule/division.h"

#include <algorithm>
#include <cmath>

#include "schedule/admission.h"
#include "schedule/fair_share.h"
#include "schedule/total_quality.h"

namespace slaq {
namespace {

// Forecasts reach no further than so many epochs past the last sample.
constexpr double kExtrapolatedEpochs = 3;

// A change smaller than this share of the loss is the noise of its arithmetic.
constexpr double kNoise = 1e-7;

// The largest change seen (section 4.1). For a loss that never fell it is its range, and never less than
// noise: of a job that was only seen converged, noise is the largest change.
double normalizerOf(const LossSeries& series) {
  const auto [lowest, highest] = std::ranges::minmax(series.losses());
  const double change = series.largestDecrease() > 0 ? series.largestDecrease() : highest - lowest;
  const double noise = kNoise * std::max(std::abs(series.first().value()), std::abs(series.last().value()));
  const double normalizer = std::max(change, noise);
  return normalizer > 0 ? normalizer : 1.0;
}

Candidate candidateOf(const JobSnapshot& job, const JobPlan& plan, const Settings& settings, Time now) {
  const JobSpec& spec = job.view->job.spec;
  const JobHistory& history = *job.history;
  Candidate candidate{.weight = static_cast<double>(spec.weight),
                      .min = spec.workers.min.value(),
                      .max = spec.workers.max.value(),
                      .perWorker = coresOf(spec.workers.pod)};
  if (plan.standing == Standing::Quality) {
    const Cores running = candidate.perWorker * job.view->workers.ready;
    candidate.curve = history.model->curve;
    candidate.iteration = iterationAt(history, running, now, kExtrapolatedEpochs * settings.epoch).value();
    candidate.normalizer = normalizerOf(history.series);
    candidate.coreSecondsPerIteration = *history.runtime.coreSecondsPerIteration();
  }
  return candidate;
}

// The bounds within which the policy may move the job this time. A fair division asks for no loss.
void bound(Candidate& candidate, const JobPlan& plan, const WorkersSpec& workers, PolicyName policy) {
  const std::int32_t held = std::clamp(plan.held.value(), candidate.min, candidate.max);
  if (plan.standing == Standing::Pinned) {
    candidate.min = candidate.max = workers.pinned.value();
  } else if (plan.standing == Standing::Resizing) {
    candidate.min = candidate.max = held;
  } else if (plan.standing == Standing::Held && plan.held > Workers(0) && policy != PolicyName::Fair) {
    candidate.max = held;
  }
}

// Pins and resizes under way give way only where the minimums would not fit otherwise.
void makeMinimumsFit(std::vector<Candidate>& candidates, const std::vector<const JobSpec*>& specs,
                     Cores budget) {
  if (minimumsOf(candidates) <= budget) return;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    candidates[i].min = std::min(candidates[i].max, specs[i]->workers.min.value());
  }
}

struct Division {
  std::vector<Candidate> candidates;
  Allocation held;
  std::vector<Standing> standing;
};

// The jobs that no forecast moves. Learning ones get their part of a fair division among all. Held ones keep
// what they have as long as it and what the forecast ones have fit beside the others.
Allocation withoutForecast(const Division& division, Cores budget) {
  const Allocation fair = fairShare(division.candidates, budget);
  auto candidates = division.candidates;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    if (division.standing[i] == Standing::Learning) {
      candidate.min = candidate.max = fair[i];
    } else if (division.standing[i] == Standing::Quality) {
      candidate.max = std::clamp(division.held[i], candidate.min, candidate.max);
    }
  }
  return fairShare(candidates, budget);
}

// What those without a forecast leave goes to the others by Algorithm 1.
Allocation byTotalQuality(const Division& division, Cores budget, const Settings& settings) {
  Allocation result = withoutForecast(division, budget);
  std::vector<Candidate> quality;
  Allocation held;
  std::vector<std::size_t> index;
  for (std::size_t i = 0; i < division.candidates.size(); ++i) {
    if (division.standing[i] != Standing::Quality) {
      budget -= division.candidates[i].perWorker * Workers(result[i]);
      continue;
    }
    quality.push_back(division.candidates[i]);
    held.push_back(division.held[i]);
    index.push_back(i);
  }
  const auto wanted = withoutIdleResizes(quality, held, budget, settings.price,
                                         [&](std::span<const Candidate> candidates, Cores capacity) {
                                           return totalQuality(candidates, capacity, settings.epoch);
                                         });
  for (std::size_t i = 0; i < index.size(); ++i) result[index[i]] = wanted[i];
  return result;
}

std::string workersWord(Workers count) {
  return std::to_string(count.value()) + (count == Workers(1) ? " worker" : " workers");
}

std::string reasonOf(const JobPlan& plan, const JobHistory& history, const Settings& settings) {
  const bool moves = plan.standing != Standing::Pinned && plan.standing != Standing::Resizing;
  if (settings.policy == PolicyName::Fair && moves) return "fair share of " + workersWord(plan.target);
  switch (plan.standing) {
    case Standing::Pinned:
      return "its owner pinned it to " + workersWord(plan.target);
    case Standing::Resizing:
      return "keeps " + std::to_string(plan.target.value()) + ": still resizing";
    case Standing::Held:
      return "keeps " + std::to_string(plan.target.value()) + ": its loss is not known at the moment";
    case Standing::Learning:
      return "fair share of " + workersWord(plan.target) + " until its loss can be forecast (" +
             std::to_string(history.series.size()) + " of " + std::to_string(kFewestPairs) + " losses seen)";
    default:
      break;
  }
  const std::string gain = "the next worker gains " + toDecimal(plan.gainPerCore, 3) + " a core-second";
  if (plan.target == plan.held) return "keeps " + std::to_string(plan.target.value()) + ": " + gain;
  return std::to_string(plan.held.value()) + " -> " + std::to_string(plan.target.value()) + ": " + gain;
}

}  // namespace

void divide(const Snapshot& snapshot, const Settings& settings, const std::vector<std::size_t>& admitted,
            std::vector<JobPlan>& plans) {
  Division division;
  std::vector<const JobSpec*> specs;
  Cores budget = snapshot.capacity;
  for (const std::size_t i : admitted) {
    const JobSpec& spec = snapshot.jobs[i].view->job.spec;
    auto candidate = candidateOf(snapshot.jobs[i], plans[i], settings, snapshot.now);
    bound(candidate, plans[i], spec.workers, settings.policy);
    division.candidates.push_back(candidate);
    division.held.push_back(plans[i].held.value());
    division.standing.push_back(plans[i].standing);
    specs.push_back(&spec);
    budget -= driverCoresOf(spec);
  }
  makeMinimumsFit(division.candidates, specs, budget);

  const auto allocation = settings.policy == PolicyName::Fair ? fairShare(division.candidates, budget)
                                                              : byTotalQuality(division, budget, settings);
  for (std::size_t n = 0; n < admitted.size(); ++n) {
    JobPlan& plan = plans[admitted[n]];
    const Candidate& candidate = division.candidates[n];
    plan.target = Workers(allocation[n]);
    if (plan.standing == Standing::Quality) {
      plan.predictedReduction = candidate.reduction(allocation[n], settings.epoch.count());
      plan.gainPerCore = gainPerCore(candidate, allocation[n], settings.epoch);
    }
    plan.reason = reasonOf(plan, *snapshot.jobs[admitted[n]].history, settings);
  }
}

}  // namespace slaq
