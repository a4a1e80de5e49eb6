#include "forecast/ensemble/expert_forecasts.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

// Power laws begin an iteration before the first.
constexpr double kBeforeFirst = 1;

constexpr double kReachOfLine = 1e9;        // a hyperbola with this reach is a straight line
constexpr double kGreatestForecast = 1e18;  // a forecast with greater numbers is of no use
constexpr double kSteepestRise = 40;        // of the logarithm of the loss above the floor

// 1 - exp(-r): the share of the height above the floor that is lost when its logarithm falls by r.
double shareLost(double r) { return -std::expm1(-std::max(r, -kSteepestRise)); }

double logarithmLost(const ExpertForecast& curve, double iterations) {
  if (curve.isPower) return curve.amount * std::log1p(iterations / curve.reach);
  return curve.amount * iterations / (curve.reach + iterations);
}

// The falls of the loss between the three levels of a view, of which y0 is the newest, and the iterations
// between them.
struct Falls {
  double recent;  // y1 - y0
  double recentSpan;
  double before;  // y2 - y1
  double beforeSpan;

  explicit Falls(const Levels& levels)
      : recent(levels[1].loss - levels[0].loss),
        recentSpan(levels[1].age - levels[0].age),
        before(levels[2].loss - levels[1].loss),
        beforeSpan(levels[2].age - levels[1].age) {}

  double total() const { return std::max(recent + before, 0.0); }
  // How far the newest level lies above the lower of the newest two.
  double depth() const { return std::max(-recent, 0.0); }
};

// How far the newest level lies above the end of an exponential decay through the three levels: Aitken's
// extrapolation, for any spacing.
double aboveBentFloor(const Falls& falls) {
  const double least = falls.depth() + kLeastBentBelowLevels * falls.total();
  const double most = falls.depth() + kMostBentBelowLevels * falls.total();
  const double bend = falls.before - falls.recent * falls.beforeSpan / falls.recentSpan;
  return bend > 0 ? std::clamp(falls.recent * falls.recent / bend, least, most) : most;
}

// How far the newest level lies above the expert's floor, in units of the range.
double aboveFloor(Floor floor, const Levels& levels, const Observations& seen) {
  const double range = seen.highest - seen.lowest;
  const auto above = [&](double loss) { return levels[0].loss + (seen.losses.back() - loss) / range; };
  const Falls falls(levels);
  const double closeBelow = above(seen.lowest) + kCloseBelowLowest;
  switch (floor) {
    case Floor::Known:
      return seen.floor ? above(*seen.floor) : closeBelow;
    case Floor::Likely:
      return seen.floor && seen.floorIsNear ? above(*seen.floor) : closeBelow;
    case Floor::Near:
      return falls.depth() + kNearBelowLevels * falls.total();
    case Floor::Bent:
      return aboveBentFloor(falls);
    case Floor::Far:
      break;
  }
  return above(seen.lowest) + kFarBelowLowest;
}

struct Descent {
  double amount;  // A
  double reach;   // U
};

// The fall A log(1 + h/U) of the logarithm, which fell by `recent` over the span. U is the number of
// iterations since the power law began.
Descent powerLaw(double recent, double span, double sinceBegin) {
  return {recent / std::log1p(span / (sinceBegin - span)), sinceBegin};
}

// The fall A h/(U + h) of the logarithm. Its pace was s1 = recent/d1 and before that s2 = before/d2. Then U =
// (d1 + d2)/(1 - s1/s2) and A = s1 (U - d1). It is a straight line where the pace did not slow down.
Descent hyperbola(double recent, double before, const Falls& spans) {
  const double span = spans.recentSpan + spans.beforeSpan;
  const double pace = recent / spans.recentSpan;
  const double slowing = 1 - pace / (before / spans.beforeSpan);
  if (!(slowing * kReachOfLine > span)) return {pace * kReachOfLine, kReachOfLine};
  const double reach = span / slowing;
  return {pace * (reach - spans.recentSpan), reach};
}

// Turns a curve that begins at the newest level into one that begins `since` iterations later, at the newest
// loss.
ExpertForecast startedLater(const Descent& descent, bool isPower, double since) {
  ExpertForecast later{.isPower = isPower, .amount = descent.amount, .reach = descent.reach + since};
  if (!isPower) later.amount *= descent.reach / later.reach;
  return later;
}

ExpertForecast forecastBy(const Expert& expert, const Levels& levels, const Observations& seen) {
  if (expert.shape == Shape::Level) return {.isKnown = true};
  const Falls falls(levels);
  const double newest = aboveFloor(expert.floor, levels, seen);
  const double middle = newest + falls.recent;
  const double oldest = middle + falls.before;
  if (!(newest > 0 && middle > 0 && oldest > 0 && newest < kGreatestForecast)) return {};

  const double recent = std::log1p(falls.recent / newest);  // z1 - z0
  const double before = std::log1p(falls.before / middle);  // z2 - z1
  const double since = levels[0].age;
  const bool isPower = expert.shape == Shape::Power;
  Descent descent{0, 1};  // no fall
  if (recent > 0) {
    const double sinceBegin = seen.iterations.back() + kBeforeFirst - since;
    descent = isPower ? powerLaw(recent, falls.recentSpan, sinceBegin) : hyperbola(recent, before, falls);
  }
  const ExpertForecast atLevel{.isPower = isPower, .amount = descent.amount, .reach = descent.reach};
  const double lost = newest * shareLost(logarithmLost(atLevel, since));
  ExpertForecast forecast = startedLater(descent, isPower, since);
  const bool isUseful = std::abs(forecast.amount) < kGreatestForecast && descent.reach > 0 &&
                        forecast.reach < kGreatestForecast && std::abs(lost) < kGreatestForecast;
  if (!isUseful) return {};
  forecast.isKnown = true;
  forecast.lift = levels[0].loss - lost;
  forecast.height = newest - lost;
  return forecast;
}

}  // namespace

double ExpertForecast::changeAfter(double iterations) const {
  return lift - height * shareLost(logarithmLost(*this, iterations));
}

ExpertForecasts forecastsOf(const Experts& experts, const LevelsByView& levels,
                            const Observations& observations) {
  ExpertForecasts forecasts;
  for (std::size_t i = 0; i < kExperts; ++i) {
    const auto view = static_cast<std::size_t>(experts[i].view);
    forecasts[i] = forecastBy(experts[i], levels[view], observations);
  }
  return forecasts;
}

}  // namespace slaq::forecast
