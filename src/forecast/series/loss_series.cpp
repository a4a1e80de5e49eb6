#include "forecast/series/loss_series.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

// Turns the upper quartile of the residuals into the standard deviation of Gaussian noise. The quartile is
// 0.6745 of the residuals' standard deviation. Their variance, which includes half of each neighbour, is 1.5
// times that of the noise.
constexpr double kNoiseOfResiduals = 1 / (0.6745 * 1.2247);

// Reorders `values`. 0 without any.
double medianOf(std::span<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

}  // namespace

LossSeries::Verdict LossSeries::add(Iterations iteration, Loss loss) {
  const double k = iteration.value();
  const double value = loss.value();
  if (!std::isfinite(k) || !std::isfinite(value)) return Verdict::NotFinite;
  Verdict verdict = Verdict::Added;
  if (size_ > 0 && k == iterations_[size_ - 1]) return Verdict::Repeated;
  if (size_ > 0 && k < iterations_[size_ - 1]) {
    forgetFrom(k);
    ++restarts_;
    verdict = Verdict::Restarted;
  }
  if (verdict == Verdict::Added && size_ > 0 && mayBeOldLoss(k, value)) return Verdict::Unchanged;
  if (size_ == kCapacity) thin();
  learnNormalizer(k, value);
  lowest_ = size_ == 0 ? value : std::min(lowest_, value);
  highest_ = size_ == 0 ? value : std::max(highest_, value);
  iterations_[size_] = k;
  losses_[size_] = value;
  ++size_;
  ++revision_;
  seenAt_ = k;
  if (verdict == Verdict::Restarted) findChange();
  return verdict;
}

// Also learns how long losses stay. A stay lasts until the last sample that still had the loss. After that it
// counts for at most the shortest distance between two samples, since the next sample may have been far away.
bool LossSeries::mayBeOldLoss(double iteration, double loss) {
  const double distance = iteration - seenAt_;
  const bool isSame = loss == losses_[size_ - 1];
  if (!isSame) {
    if (leastDistance_ > 0)
      longestStay_ = std::max(longestStay_, seenAt_ - changedAt_ + std::min(distance, leastDistance_));
    changedAt_ = iteration;
    unchanged_ = 0;
  }
  leastDistance_ = leastDistance_ > 0 ? std::min(leastDistance_, distance) : distance;
  seenAt_ = iteration;
  if (!isSame) return false;
  ++unchanged_;
  if (!(longestStay_ > 0)) return unchanged_ <= kMostOfTheFirst;
  return iteration - changedAt_ <= kLongerThanEver * longestStay_ && unchanged_ <= kMostPassedOver;
}

// Finds out since when the remaining pairs have had their last loss.
void LossSeries::findChange() {
  unchanged_ = 0;
  std::size_t first = size_ - 1;
  while (first > 0 && losses_[first - 1] == losses_[size_ - 1]) --first;
  changedAt_ = iterations_[first];
}

void LossSeries::forgetFrom(double iteration) {
  const auto end = iterations_.begin() + static_cast<std::ptrdiff_t>(size_);
  size_ =
      static_cast<std::size_t>(std::lower_bound(iterations_.begin(), end, iteration) - iterations_.begin());
  if (size_ == 0) return;
  findExtremes();
  const auto best = std::min_element(losses_.begin(), losses_.begin() + static_cast<std::ptrdiff_t>(size_));
  best_ = *best;
  bestIteration_ = iterations_[static_cast<std::size_t>(best - losses_.begin())];
}

void LossSeries::thin() {
  // Drops every other pair of the older half, and keeps the first pair.
  constexpr std::size_t half = kCapacity / 2;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i < half && i % 2 == 1) continue;
    iterations_[kept] = iterations_[i];
    losses_[kept] = losses_[i];
    ++kept;
  }
  size_ = kept;
  findExtremes();
}

void LossSeries::findExtremes() {
  const auto [lowest, highest] = std::ranges::minmax(losses());
  lowest_ = lowest;
  highest_ = highest;
}

// The standard deviation of the noise. Half of the residuals of noise lie above the line; those of a curve
// that falls ever more slowly all lie below it.
double LossSeries::noise() const {
  std::array<std::size_t, kCapacity> news{};  // pairs whose loss differs from the one before
  std::size_t count = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    if (i == 0 || losses_[i] != losses_[i - 1]) news[count++] = i;
  }
  if (count < 3) return 0;
  std::array<double, kCapacity> residuals{};
  for (std::size_t i = 1; i + 1 < count; ++i) {
    const std::size_t before = news[i - 1];
    const std::size_t here = news[i];
    const std::size_t after = news[i + 1];
    const double share =
        (iterations_[here] - iterations_[before]) / (iterations_[after] - iterations_[before]);
    residuals[i - 1] = losses_[here] - losses_[before] - share * (losses_[after] - losses_[before]);
  }
  // Takes the first residual above the upper quartile: with few of them the quartile itself is often too low.
  const std::size_t size = count - 2;
  const auto at = [&](std::size_t i) { return residuals.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto quartile = at(std::min(size - 1, (3 * size + 3) / 4));
  std::nth_element(residuals.begin(), quartile, at(size));
  return kNoiseOfResiduals * std::max(0.0, *quartile);
}

LossSeries::Change LossSeries::change() const {
  if (size_ == 0) return Change::None;
  const std::size_t quarter = std::max<std::size_t>(1, size_ / 4);
  std::array<double, kCapacity> newest{};
  std::ranges::copy(losses().last(quarter), newest.begin());
  const double fall = first_ - medianOf(std::span(newest).first(quarter));
  if (!(std::abs(fall) > kBeyondNoise * noise())) return Change::None;
  return fall > 0 ? Change::Fallen : Change::Risen;
}

void LossSeries::learnNormalizer(double iteration, double loss) {
  if (size_ == 0) {
    first_ = best_ = loss;
    bestIteration_ = changedAt_ = iteration;
    return;
  }
  if (loss >= best_) return;
  largestDecrease_ = std::max(largestDecrease_, (best_ - loss) / (iteration - bestIteration_));
  best_ = loss;
  bestIteration_ = iteration;
}

double interpolatedLoss(std::span<const double> iterations, std::span<const double> losses,
                        double iteration) {
  const auto after =
      static_cast<std::size_t>(std::ranges::lower_bound(iterations, iteration) - iterations.begin());
  if (after == 0) return losses.front();
  if (after == iterations.size()) return losses.back();
  const double share = std::log((1 + iteration) / (1 + iterations[after - 1])) /
                       std::log((1 + iterations[after]) / (1 + iterations[after - 1]));
  return losses[after - 1] + share * (losses[after] - losses[after - 1]);
}

}  // namespace slaq::forecast
