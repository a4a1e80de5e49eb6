#include "forecast/ensemble/ensemble.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"
#include "forecast/curves/hyperbola.h"

namespace slaq::forecast {
namespace {

constexpr double kGreatest = 1e18;  // in units; greater changes say nothing more

}  // namespace

void Ensemble::follow(const LossSeries& series, std::optional<double> target) {
  if (series.restarts() != restarts_) {
    *this = Ensemble(*experts_);
    restarts_ = series.restarts();
  }
  for (std::size_t size = knownPairsOf(series) + 1; size <= series.size(); ++size) {
    takeIn({.iterations = series.iterations().first(size),
            .losses = series.losses().first(size),
            .floor = target});
  }
}

std::size_t Ensemble::knownPairsOf(const LossSeries& series) const {
  if (size_ == 0) return 0;
  const auto iterations = series.iterations();
  const auto firstNew = std::ranges::upper_bound(iterations, forecasts_[0].iteration);
  return static_cast<std::size_t>(firstNew - iterations.begin());
}

// The last of the pairs seen is new.
void Ensemble::takeIn(Observations seen) {
  const double iteration = seen.iterations.back();
  const double loss = seen.losses.back();
  denoiser_.add(iteration, loss);
  recordErrors(iteration);
  recordOwnError(iteration, loss);

  lowest_ = size_ > 0 ? std::min(lowest_, loss) : loss;
  highest_ = size_ > 0 ? std::max(highest_, loss) : loss;
  seen.lowest = lowest_;
  seen.highest = highest_;
  const double range = highest_ - lowest_;
  seen.floorIsNear =
      seen.floor || seen.losses.size() < kFewestPairsForDistance || lowest_ < kNearZero * range;
  if (!seen.floor && lowest_ > 0) seen.floor = 0;

  PastForecast& newest = addForecast(iteration);
  newest.loss = loss;
  const bool hasRange = std::isfinite(range) && std::isfinite(1 / range);
  newest.unit = hasRange && seen.losses.size() >= kFewestPairs ? range : 0;
  if (newest.unit > 0) newest.experts = forecastsOf(*experts_, levelsOf(seen), seen);
  fit(seen.floor);
}

// A forecast that is the newest for several entries of kRecordedAhead counts once for each.
void Ensemble::recordErrors(double iteration) {
  errors_.fade();
  const double loss = denoiser_.newest();
  for (const double ahead : kRecordedAhead) {
    const PastForecast* due = forecastUntil(iteration - ahead);
    if (!due || !(due->unit > 0)) continue;
    const double change = std::clamp((loss - due->loss) / due->unit, -kGreatest, kGreatest);
    errors_.add(due->experts, iteration - due->iteration, change);
  }
}

void Ensemble::recordOwnError(double iteration, double loss) {
  if (size_ == 0 || iteration - earlierCurve_.origin < kNearAhead) return;
  const double range = std::max(highest_, loss) - std::min(lowest_, loss);
  if (earlierCurve_.family != CurveFamily::Constant && range > 0) {
    const double error = (earlierCurve_.at(iteration) - loss) / range;
    ownSquaredErrors_ = kErrorDiscount * ownSquaredErrors_ + error * error;
    ownErrorCount_ = kErrorDiscount * ownErrorCount_ + 1;
  }
  earlierCurve_ = curve_;
}

std::optional<double> Ensemble::backTestError() const {
  if (!(ownErrorCount_ > 0)) return std::nullopt;
  return std::sqrt(ownSquaredErrors_ / ownErrorCount_);
}

// The newest forecast that was made at `iteration` or before.
const Ensemble::PastForecast* Ensemble::forecastUntil(double iteration) const {
  const auto end = forecasts_.begin() + static_cast<std::ptrdiff_t>(size_);
  const auto found = std::find_if(forecasts_.begin(), end,
                                  [&](const PastForecast& past) { return past.iteration <= iteration; });
  return found == end ? nullptr : &*found;
}

// The place for the newest forecast. It overwrites the previous forecast if that is too close to the one
// before.
Ensemble::PastForecast& Ensemble::addForecast(double iteration) {
  const bool replaces = size_ > 1 && forecasts_[0].iteration - forecasts_[1].iteration < kBetweenForecasts;
  if (!replaces) {
    std::shift_right(forecasts_.begin(), forecasts_.end(), 1);
    size_ = std::min(size_ + 1, kRemembered);
  }
  forecasts_[0].iteration = iteration;
  return forecasts_[0];
}

// The loss expected `ahead` iterations later, less the newest loss. The experts expect `change`, in units of
// the range; the denoiser counts as far as it is trusted.
double Ensemble::changeExpected(double change, double ahead) const {
  const PastForecast& newest = forecasts_[0];
  const double byExperts = change * newest.unit;
  const double trust = kDenoised * denoiser_.trust();
  if (!(trust > 0)) return byExperts;
  const double byDenoiser = denoiser_.at(newest.iteration + ahead) - newest.loss;
  return byExperts + trust * (byDenoiser - byExperts);
}

// The curve is a constant while the experts have no forecasts.
void Ensemble::fit(std::optional<double> floor) {
  const PastForecast& newest = forecasts_[0];
  curve_ = Curve{.floor = newest.loss, .origin = newest.iteration};
  if (newest.unit > 0) {
    const double height = floor ? (newest.loss - *floor) / newest.unit : 0;
    const WeightedForecast experts(*experts_, newest.experts, errors_, height);
    const double far = farAhead(newest.iteration);
    const double lift = changeExpected(experts.lift(), 0);
    const auto fall = [&](double ahead) {
      return Fall{ahead, lift - changeExpected(experts.changeAfter(ahead), ahead)};
    };
    curve_ = hyperbolaThrough(newest.iteration, newest.loss + lift, fall(kNearAhead), fall(far));
  }
  if (size_ == 1) earlierCurve_ = curve_;
}

}  // namespace slaq::forecast
