#include "forecast/ensemble/weighing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

// In units of the range. Less height is nothing of note, and the known floor says nothing about losses this
// far above it.
constexpr double kLeastHeight = 1e-12;
constexpr double kMostHeight = 1e18;

}  // namespace

void ErrorRecord::fade() {
  for (double& sum : sums_) sum *= kErrorDiscount;
  count_ *= kErrorDiscount;
}

void ErrorRecord::add(const ExpertForecasts& forecasts, double ahead, double change) {
  ExpertNumbers errors;
  for (std::size_t i = 0; i < kExperts; ++i) {
    errors[i] = std::abs(forecasts[i].changeAfter(ahead) - change);
  }
  const double mean = std::accumulate(errors.begin(), errors.end(), 0.0) / kExperts;
  for (std::size_t i = 0; i < kExperts; ++i) {
    sums_[i] += mean > 0 ? errors[i] / mean : 1;
  }
  ++count_;
}

ExpertNumbers ErrorRecord::means() const {
  ExpertNumbers means;
  for (std::size_t i = 0; i < kExperts; ++i) means[i] = count_ > 0 ? sums_[i] / count_ : 1;
  return means;
}

WeightedForecast::WeightedForecast(const Experts& experts, const ExpertForecasts& forecasts,
                                   const ErrorRecord& errors, double height)
    : forecasts_(forecasts), height_(height) {
  const ExpertNumbers means = errors.means();
  for (std::size_t i = 0; i < kExperts; ++i) {
    const double square = (means[i] + kLeastError) * (means[i] + kLeastError);
    weights_[i] = forecasts[i].isKnown ? 1 / (square * square) : 0;
  }
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  double usingKnownFloor = 0;
  for (std::size_t i = 0; i < kExperts; ++i) {
    weights_[i] /= sum;
    if (experts[i].usesKnownFloor()) usingKnownFloor += weights_[i];
  }
  if (height > kLeastHeight && height < kMostHeight) {
    logarithmic_ = std::min(1.0, kLogarithmicShare * usingKnownFloor);
  }
}

double WeightedForecast::changeAfter(double iterations) const {
  ExpertNumbers changes;
  for (std::size_t i = 0; i < kExperts; ++i) changes[i] = forecasts_[i].changeAfter(iterations);
  return meanOf(changes);
}

double WeightedForecast::lift() const {
  ExpertNumbers lifts;
  for (std::size_t i = 0; i < kExperts; ++i) lifts[i] = forecasts_[i].lift;
  return meanOf(lifts);
}

// With the weights w, the changes c and the height H above the known floor, the mean is sum(w c), and the
// logarithmic mean is H (exp(sum(w log(1 + c/H))) - 1).
double WeightedForecast::meanOf(const ExpertNumbers& changes) const {
  const double mean = std::inner_product(weights_.begin(), weights_.end(), changes.begin(), 0.0);
  if (!(logarithmic_ > 0)) return mean;
  double logarithm = 0;
  for (std::size_t i = 0; i < kExperts; ++i) {
    logarithm += weights_[i] * std::log1p(std::max(changes[i] / height_, -kMostLost));
  }
  return (1 - logarithmic_) * mean + logarithmic_ * height_ * std::expm1(logarithm);
}

}  // namespace slaq::forecast
