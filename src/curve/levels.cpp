#include "curve/levels.h"

#include <algorithm>
#include <cmath>

#include "curve/loss_series.h"

namespace slaq {
namespace {

enum class Kind : std::uint8_t { Points, Blocks };

struct View {
  Kind kind;
  double span;  // under 1: the share
};

constexpr std::array<View, kViews> kTable = {{
    {Kind::Points, 4},
    {Kind::Points, 0.33},
    {Kind::Points, 0.66},
    {Kind::Blocks, 8},
    {Kind::Blocks, 0.33},
    {Kind::Blocks, 32},
    {Kind::Blocks, 0.66},
    {Kind::Blocks, 0.95},
}};

// Power laws begin an iteration before the first.
constexpr double kBeforeFirst = 1;

struct Three {
  double iteration[3];
  double loss[3];  // less the newest one
};

// The sums of the pairs before each, less the newest pair.
struct Sums {
  double iterations[LossSeries::kCapacity + 1];
  double losses[LossSeries::kCapacity + 1];
};

void sumUp(const Evidence& evidence, Sums& sums) {
  const double last = evidence.losses.back();
  const double now = evidence.iterations.back();
  double iterations = 0, losses = 0;
  for (std::size_t i = 0; i < evidence.losses.size(); ++i) {
    sums.iterations[i] = iterations;
    sums.losses[i] = losses;
    iterations += evidence.iterations[i] - now;
    losses += evidence.losses[i] - last;
  }
  sums.iterations[evidence.losses.size()] = iterations;
  sums.losses[evidence.losses.size()] = losses;
}

// The index of the first pair at iteration k or later. Without branches: they would be mispredicted.
std::size_t firstFrom(double k, std::span<const double> iterations) {
  const double* from = iterations.data();
  for (std::size_t count = iterations.size(); count > 1;) {
    const std::size_t half = count / 2;
    from += half * static_cast<std::size_t>(from[half - 1] < k);
    count -= half;
  }
  return static_cast<std::size_t>(from - iterations.data()) + static_cast<std::size_t>(*from < k);
}

std::size_t nearestTo(double k, std::span<const double> iterations) {
  const std::size_t after = firstFrom(k, iterations);
  if (after == iterations.size()) return after - 1;
  const std::size_t before = after - static_cast<std::size_t>(after > 0);
  return k - iterations[before] <= iterations[after] - k ? before : after;
}

std::optional<Three> pointsOver(double span, const Evidence& evidence) {
  const auto& k = evidence.iterations;
  const std::size_t last = k.size() - 1;
  const std::size_t oldest = std::min(nearestTo(k[last] - span, k), last - 2);
  const std::size_t middle = std::clamp(nearestTo(0.5 * (k[last] + k[oldest]), k), oldest + 1, last - 1);
  const auto& y = evidence.losses;
  return Three{{k[last], k[middle], k[oldest]}, {0, y[middle] - y[last], y[oldest] - y[last]}};
}

std::optional<Three> blocksOver(double span, const Evidence& evidence, const Sums& sums) {
  const double now = evidence.iterations.back();
  // A hair's breadth makes a pair on the border belong to the newer block.
  std::size_t begin[3];
  for (int block = 0; block < 3; ++block)
    begin[block] = firstFrom(now - span * (block + 1) / 3 - 1e-9 * span, evidence.iterations);
  Three levels;
  std::size_t end = evidence.iterations.size();
  for (int block = 0; block < 3; ++block) {
    const std::size_t from = begin[block];
    if (from == end) return std::nullopt;
    const double share = 1 / static_cast<double>(end - from);
    levels.iteration[block] = now + (sums.iterations[end] - sums.iterations[from]) * share;
    levels.loss[block] = (sums.losses[end] - sums.losses[from]) * share;
    end = from;
  }
  return levels;
}

}  // namespace

Levels levelsOf(const Evidence& evidence) {
  Sums sums;
  sumUp(evidence, sums);
  const double now = evidence.iterations.back();
  const double seen = now - evidence.iterations.front();
  const double perUnit = 1 / (evidence.highest - evidence.lowest);
  const double lowest = evidence.lowest - evidence.losses.back();
  const double floor = evidence.floor ? *evidence.floor - evidence.losses.back() : HUGE_VAL;
  Levels levels;
  for (std::size_t i = 0; i < kViews; ++i) {
    const auto& view = kTable[i];
    const double span = view.span < 1 ? view.span * seen : std::min(view.span, seen);
    const auto three =
        view.kind == Kind::Blocks ? blocksOver(span, evidence, sums) : pointsOver(span, evidence);
    const auto& [k, y] = three.value_or(Three{{now, now - 1, now - 2}, {}});
    const auto units = [&](double loss) { return static_cast<float>(loss * perUnit); };
    levels.since[i] = static_cast<float>(now - k[0]);
    levels.recentSpan[i] = static_cast<float>(k[0] - k[1]);
    levels.beforeSpan[i] = static_cast<float>(k[1] - k[2]);
    levels.start[i] = static_cast<float>(k[0] + kBeforeFirst);
    levels.last[i] = units(y[0]);
    levels.recent[i] = units(y[1] - y[0]);
    levels.before[i] = units(y[2] - y[1]);
    levels.aboveLow[i] = three ? units(y[0] - lowest) : -HUGE_VALF;
    levels.aboveKnown[i] = three ? units(y[0] - floor) : -HUGE_VALF;
  }
  return levels;
}

}  // namespace slaq
