#include "forecast/speed/measured_sizes.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

constexpr std::size_t kMostSizes = 24;

// Sizes are rounded to multiples of 1/kSizesInOne: 0.7 cores in units of 0.1 are not exactly 7.
constexpr double kSizesInOne = 1e6;

}  // namespace

void MeasuredSizes::add(double measured, double seconds, double iterations, double weight) {
  if (!std::isfinite(seconds) || !std::isfinite(measured)) return;
  const double size = std::round(measured * kSizesInOne) / kSizesInOne;
  if (size != newest_) ++stays_;
  newest_ = size;
  auto sum = std::ranges::lower_bound(sums_, size, {}, &Sum::size);
  if (sum == sums_.end() || sum->size != size) sum = sums_.insert(sum, Sum{.size = size});
  sum->seconds += seconds;
  sum->iterations += iterations;
  sum->weight += weight;
  sum->measured = stays_;
  if (const double kept = kMostWeight / sum->weight; kept < 1) {
    sum->seconds *= kept;
    sum->iterations *= kept;
    sum->weight = kMostWeight;
  }
  if (sums_.size() > kMostSizes) sums_.erase(std::ranges::min_element(sums_, {}, &Sum::measured));
  summarize();
}

void MeasuredSizes::summarize() {
  sizes_.clear();
  for (const Sum& sum : sums_) {
    if (sum.weight < kLeastWeight) continue;
    const auto since = static_cast<double>(stays_ - sum.measured);
    sizes_.push_back(
        {sum.size, sum.seconds / sum.iterations, sum.weight * std::pow(kWeightAfterAnother, since)});
  }
}

}  // namespace slaq::forecast
