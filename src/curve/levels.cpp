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
    {Kind::Points, 8},
    {Kind::Points, 0.33},
    {Kind::Points, 0.66},
    {Kind::Blocks, 8},
    {Kind::Blocks, 32},
    {Kind::Blocks, 0.66},
    {Kind::Blocks, 0.95},
}};

// Power laws begin an iteration before the first.
constexpr double kBeforeFirst = 1;

constexpr std::size_t kMost = LossSeries::kCapacity;

// Iterations and losses less the newest ones, and the sums of those before each.
struct Columns {
  std::size_t size;
  double iterations[kMost];  // beyond the size: HUGE_VAL
  double iterationSums[kMost + 1];
  double lossSums[kMost + 1];
};

struct Three {
  double iteration[3];
  double loss[3];
};

void fill(const Evidence& evidence, Columns& columns) {
  const double now = evidence.iterations.back();
  const double last = evidence.losses.back();
  columns.size = evidence.iterations.size();
  double iterations = 0, losses = 0;
  for (std::size_t i = 0; i < columns.size; ++i) {
    columns.iterations[i] = evidence.iterations[i] - now;
    columns.iterationSums[i] = iterations;
    columns.lossSums[i] = losses;
    iterations += columns.iterations[i];
    losses += evidence.losses[i] - last;
  }
  columns.iterationSums[columns.size] = iterations;
  columns.lossSums[columns.size] = losses;
  std::fill(columns.iterations + columns.size, columns.iterations + kMost, HUGE_VAL);
}

// The index of the first pair at iteration k <= 0 or later. Moves in place of branches, which would be
// mispredicted.
std::size_t firstFrom(double k, const Columns& columns) {
  static_assert(kMost == 64);
  const double* from = columns.iterations;
  from = from[31] < k ? from + 32 : from;
  from = from[15] < k ? from + 16 : from;
  from = from[7] < k ? from + 8 : from;
  from = from[3] < k ? from + 4 : from;
  from = from[1] < k ? from + 2 : from;
  from = from[0] < k ? from + 1 : from;
  return static_cast<std::size_t>(from - columns.iterations);
}

std::size_t nearestTo(double k, const Columns& columns) {
  const std::size_t after = firstFrom(k, columns);
  const std::size_t before = after - static_cast<std::size_t>(after > 0);
  return k - columns.iterations[before] <= columns.iterations[after] - k ? before : after;
}

Three pointsOver(double span, const Evidence& evidence, const Columns& columns) {
  const auto* k = columns.iterations;
  const auto& y = evidence.losses;
  const std::size_t last = columns.size - 1;
  const std::size_t oldest = std::min(nearestTo(-span, columns), last - 2);
  const std::size_t middle = std::clamp(nearestTo(0.5 * k[oldest], columns), oldest + 1, last - 1);
  return {{0, k[middle], k[oldest]}, {0, y[middle] - y[last], y[oldest] - y[last]}};
}

std::optional<Three> blocksOver(double span, const Columns& columns) {
  constexpr double kHair = 1e-9;  // makes a pair on the border belong to the newer block
  Three levels;
  std::size_t end = columns.size;
  for (int block = 0; block < 3; ++block) {
    const std::size_t from = firstFrom(-span * ((block + 1) * (1. / 3) + kHair), columns);
    if (from == end) return std::nullopt;
    const double share = 1 / static_cast<double>(end - from);
    levels.iteration[block] = (columns.iterationSums[end] - columns.iterationSums[from]) * share;
    levels.loss[block] = (columns.lossSums[end] - columns.lossSums[from]) * share;
    end = from;
  }
  return levels;
}

}  // namespace

Levels levelsOf(const Evidence& evidence) {
  Columns columns;
  fill(evidence, columns);
  const double now = evidence.iterations.back();
  const double seen = now - evidence.iterations.front();
  const double perUnit = 1 / (evidence.highest - evidence.lowest);
  const double lowest = evidence.lowest - evidence.losses.back();
  const double floor = evidence.floor ? *evidence.floor - evidence.losses.back() : HUGE_VAL;
  Levels levels;
  levels.floorIsNear = evidence.floorIsNear;
  for (std::size_t i = 0; i < kViews; ++i) {
    const auto& view = kTable[i];
    const double span = view.span < 1 ? view.span * seen : std::min(view.span, seen);
    const auto three =
        view.kind == Kind::Blocks ? blocksOver(span, columns) : pointsOver(span, evidence, columns);
    const auto& [k, y] = three.value_or(Three{{0, -1, -2}, {}});
    const auto units = [&](double loss) { return static_cast<float>(loss * perUnit); };
    levels.since[i] = static_cast<float>(-k[0]);
    levels.recentSpan[i] = static_cast<float>(k[0] - k[1]);
    levels.beforeSpan[i] = static_cast<float>(k[1] - k[2]);
    levels.start[i] = static_cast<float>(now + k[0] + kBeforeFirst);
    levels.last[i] = units(y[0]);
    levels.recent[i] = units(y[1] - y[0]);
    levels.before[i] = units(y[2] - y[1]);
    levels.aboveLow[i] = three ? units(y[0] - lowest) : -HUGE_VALF;
    levels.aboveKnown[i] = three ? units(y[0] - floor) : -HUGE_VALF;
  }
  return levels;
}

}  // namespace slaq
