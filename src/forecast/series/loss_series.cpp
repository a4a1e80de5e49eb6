#include "forecast/series/loss_series.h"

#include <algorithm>
#include <cmath>

namespace slaq::forecast {

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
  if (size_ == kCapacity) thin();
  learnNormalizer(k, value);
  lowest_ = size_ == 0 ? value : std::min(lowest_, value);
  highest_ = size_ == 0 ? value : std::max(highest_, value);
  iterations_[size_] = k;
  losses_[size_] = value;
  ++size_;
  ++revision_;
  return verdict;
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
  // Every other pair of the older half goes; the first pair stays.
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

void LossSeries::learnNormalizer(double iteration, double loss) {
  if (size_ == 0) {
    first_ = best_ = loss;
    bestIteration_ = iteration;
    return;
  }
  if (loss >= best_) return;
  largestDecrease_ = std::max(largestDecrease_, (best_ - loss) / (iteration - bestIteration_));
  best_ = loss;
  bestIteration_ = iteration;
}

}  // namespace slaq::forecast
