#include "forecast/ensemble/past_curves.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

double squared(double value) { return value * value; }

}  // namespace

// The least squares among curves that never rise: adjacent losses that rise are replaced by their mean (pool
// adjacent violators). It takes most noise out and keeps steps.
PastCurves::Losses PastCurves::neverRising(const LossSeries& series) {
  struct Pool {
    double sum;
    std::size_t count;
    double mean() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (const double loss : series.losses()) {
    pools.push_back({loss, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() < pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum;
      pools.back().count += last.count;
    }
  }
  Losses losses{{series.iterations().begin(), series.iterations().end()}, {}};
  for (const Pool& pool : pools) losses.losses.insert(losses.losses.end(), pool.count, pool.mean());
  return losses;
}

double PastCurves::Past::fallUntil(double iteration) const {
  const double last = losses.iterations.back();
  const double reached =
      losses.losses.front() - interpolatedLoss(losses.iterations, losses.losses, iteration);
  return iteration > last ? reached + beyond.reduction(last, iteration - last) : reached;
}

void PastCurves::record(std::string_view uid, const LossSeries& series, const ConvergenceModel& model) {
  Past past{.uid = std::string(uid), .losses = neverRising(series), .beyond = model.curve};
  const double last = series.lastIteration().value();
  past.range = past.fallUntil(last + aheadToFinal(last));
  if (!(past.range > 0) || !std::isfinite(past.range)) return;
  const double first = series.losses().front();
  const double final = model.forecastFinal(last);
  past.done = first > final ? 1 - levelOf(series.last().value(), first, final) : 0;
  std::erase_if(pasts_, [&](const Past& known) { return !uid.empty() && known.uid == uid; });
  // The curve of the training that has come least far makes room. So jobs that begin do not displace whole
  // curves.
  if (pasts_.size() == kMost) pasts_.erase(std::ranges::min_element(pasts_, {}, &Past::done));
  pasts_.push_back(std::move(past));
}

// Least squares of the training's falls from its first loss, with the prior that losses fall in proportion to
// the first one.
double PastCurves::scaleFor(const Past& past, const Losses& own) {
  const double first = own.losses.front();
  const double begun = past.fallUntil(own.iterations.front());
  const double before = past.losses.losses.front() - begun;
  double squares = squared(kPriorScale * past.range);
  double products = squares * (first > 0 && before > 0 ? first / before : 1);
  for (std::size_t i = 1; i < own.size(); ++i) {
    const double fall = past.fallUntil(own.iterations[i]) - begun;
    products += fall * (first - own.losses[i]);
    squares += squared(fall);
  }
  return std::max(0.0, products / squares);
}

// The root mean square of what the scaled past curve leaves of the training's falls, as a share of the range
// seen; 1 where nothing fell. REQUIRES: two losses at least.
double PastCurves::errorOf(const Past& past, double scale, const Losses& own) {
  const double range = own.losses.front() - own.losses.back();
  if (!(range > 0)) return 1;
  const double begun = past.fallUntil(own.iterations.front());
  double squares = 0;
  for (std::size_t i = 1; i < own.size(); ++i) {
    const double expected = scale * (past.fallUntil(own.iterations[i]) - begun);
    squares += squared(own.losses.front() - own.losses[i] - expected);
  }
  return std::sqrt(squares / static_cast<double>(own.size() - 1)) / range;
}

PastCurves::Guide PastCurves::guideFor(const Past& past, const Losses& own, double ownError) {
  if (own.size() == 0) return {&past, 1 / past.range, squared(past.done)};
  const double scale = scaleFor(past, own);
  if (own.size() == 1) return {&past, scale, squared(past.done)};  // a single loss tests nothing
  const double least = squared(kLeastCurveError);
  const double odds = (squared(ownError) + least) / (squared(errorOf(past, scale, own)) + least);
  return {&past, scale, squared(past.done) * squared(odds)};
}

std::optional<PastForecast> PastCurves::forecast(std::string_view uid, const LossSeries& series,
                                                 double ownError) const {
  const Losses own = neverRising(series);
  const double now = series.empty() ? 0 : series.lastIteration().value();
  std::vector<Guide> guides;
  PastForecast forecast;
  for (const Past& past : pasts_) {
    if (past.uid == uid) continue;
    Guide guide = guideFor(past, own, ownError);
    guide.fallen = past.fallUntil(now);
    if (!std::isfinite(guide.scale) || !std::isfinite(guide.weight))
      continue;  // beyond the precision of a double
    guides.push_back(guide);
    forecast.weight += guide.weight;
  }
  if (!(forecast.weight > 0)) return std::nullopt;
  for (double ahead = 0;; ahead = nextAhead(ahead)) {
    double sum = 0;
    for (const auto& [past, scale, weight, fallen] : guides)
      sum += weight * scale * (past->fallUntil(now + ahead) - fallen);
    forecast.falls.push_back({ahead, sum / forecast.weight});
    if (ahead >= aheadToFinal(now)) return forecast;
  }
}

}  // namespace slaq::forecast
