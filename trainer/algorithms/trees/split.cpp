#include "trainer/algorithms/trees/split.h"

namespace slaq::trainer::algorithms::trees {
namespace {

constexpr double kLeastGain = 1e-9;  // of the node's own score: less is rounding

double ratio(double above, double below) { return below > 0 ? above / below : 0; }

// Twice the decrease of the loss by the best single value for these rows.
double score(const Sums& sums, double l2) {
  return ratio(sums.gradient * sums.gradient, sums.curvature + l2);
}

}  // namespace

Sums& Sums::operator+=(const Sums& other) {
  gradient += other.gradient;
  curvature += other.curvature;
  count += other.count;
  return *this;
}

Sums& Sums::operator-=(const Sums& other) {
  gradient -= other.gradient;
  curvature -= other.curvature;
  count -= other.count;
  return *this;
}

Sums totalOf(std::span<const Sums> histogram, std::int64_t bins) {
  Sums total;
  for (const Sums& bin : histogram.first(static_cast<std::size_t>(bins))) total += bin;
  return total;
}

std::optional<Split> bestSplit(std::span<const Sums> histogram, const SplitRules& rules) {
  const auto bins = static_cast<std::size_t>(rules.bins);
  const Sums total = totalOf(histogram, rules.bins);
  const double before = score(total, rules.l2);
  Split best;
  best.gain = kLeastGain * before;
  bool found = false;
  for (std::size_t feature = 0; feature < histogram.size() / bins; ++feature) {
    Sums left;
    for (std::size_t bin = 0; bin + 1 < bins; ++bin) {
      left += histogram[feature * bins + bin];
      const Sums right = total - left;
      if (left.count < rules.minLeaf) continue;
      if (right.count < rules.minLeaf) break;
      const double gain = score(left, rules.l2) + score(right, rules.l2) - before;
      if (!(gain > best.gain)) continue;
      best = {{static_cast<std::int32_t>(feature), static_cast<Bin>(bin)}, gain, left, right};
      found = true;
    }
  }
  return found ? std::optional(best) : std::nullopt;
}

float leafValue(const Sums& sums, const SplitRules& rules) {
  return static_cast<float>(-rules.learningRate * ratio(sums.gradient, sums.curvature + rules.l2));
}

}  // namespace slaq::trainer::algorithms::trees
