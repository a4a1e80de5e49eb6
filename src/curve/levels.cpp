#include "curve/levels.h"

#include <algorithm>
#include <cmath>

#include "curve/lanes.h"
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

constexpr std::size_t kMost = LossSeries::kCapacity;

// How long ago each iteration was, in iterations, each loss less the newest, and the sums of those before
// each.
struct alignas(64) Columns {
  double ages[kMost];  // beyond the size: -HUGE_VAL
  double ageSums[kMost + kLanes];
  double lossSums[kMost + kLanes];
  std::size_t size;
};

SLAQ_FOR_EACH_PROCESSOR
void fill(const Evidence& evidence, Columns& columns) {
  const double now = evidence.iterations.back();
  const double last = evidence.losses.back();
  const WideBits lane = lanesOf<WideBits>([](std::size_t i) SLAQ_INLINE { return i; });
  const double* iterations = evidence.iterations.data();
  const double* losses = evidence.losses.data();
  columns.size = evidence.iterations.size();
  columns.ageSums[0] = columns.lossSums[0] = 0;
  for (std::size_t i = 0; i < kMost; i += kLanes) {
    const WideBits seen = lane < static_cast<std::int64_t>(columns.size - i);
    const WideLanes ages = now - load<WideLanes>(iterations + i);
    const WideLanes falls = load<WideLanes>(losses + i) - last;
    store(seen ? ages : WideLanes{} - HUGE_VAL, &columns.ages[i]);
    store(runningSum(seen ? ages : WideLanes{}) + columns.ageSums[i], &columns.ageSums[i + 1]);
    store(runningSum(seen ? falls : WideLanes{}) + columns.lossSums[i], &columns.lossSums[i + 1]);
  }
}

// The index of the first pair that is not older. Always in six steps, which the processor comes to know.
std::size_t firstWithin(double age, const Columns& columns) {
  static_assert(kMost == 64);
  const double* from = columns.ages;
  from = from[31] > age ? from + 32 : from;
  from = from[15] > age ? from + 16 : from;
  from = from[7] > age ? from + 8 : from;
  from = from[3] > age ? from + 4 : from;
  from = from[1] > age ? from + 2 : from;
  from = from[0] > age ? from + 1 : from;
  return static_cast<std::size_t>(from - columns.ages);
}

std::size_t nearestTo(double age, const Columns& columns) {
  const std::size_t after = firstWithin(age, columns);
  const std::size_t before = after - static_cast<std::size_t>(after > 0);
  return columns.ages[before] - age <= age - columns.ages[after] ? before : after;
}

void lookAtPoints(std::size_t view, double span, const Evidence& evidence, const Columns& columns,
                  Levels& levels) {
  const auto* ages = columns.ages;
  const auto& y = evidence.losses;
  const std::size_t last = columns.size - 1;
  const std::size_t oldest = std::min(nearestTo(span, columns), last - 2);
  const std::size_t middle = std::clamp(nearestTo(0.5 * ages[oldest], columns), oldest + 1, last - 1);
  const std::size_t points[] = {last, middle, oldest};
  for (std::size_t n = 0; n < 3; ++n) {
    levels.ages[n][view] = ages[points[n]];
    levels.losses[n][view] = y[points[n]] - y[last];
  }
}

void lookAtBlocks(std::size_t view, double span, const Columns& columns, Levels& levels) {
  constexpr double kHair = 1e-9;  // makes a pair on the border belong to the newer block
  std::size_t end = columns.size;
  for (std::size_t block = 0; block < 3; ++block) {
    const std::size_t from = firstWithin(span * (static_cast<double>(block + 1) * (1. / 3) + kHair), columns);
    const double share = 1 / static_cast<double>(end - from);
    levels.ages[block][view] = (columns.ageSums[end] - columns.ageSums[from]) * share;
    levels.losses[block][view] = (columns.lossSums[end] - columns.lossSums[from]) * share;
    end = from;
  }
}

}  // namespace

Levels levelsOf(const Evidence& evidence) {
  Columns columns;
  fill(evidence, columns);
  const double seen = evidence.iterations.back() - evidence.iterations.front();
  Levels levels;
  for (std::size_t i = 0; i < kViews; ++i) {
    const auto& view = kTable[i];
    const double span = view.span < 1 ? view.span * seen : std::min(view.span, seen);
    if (view.kind == Kind::Blocks) {
      lookAtBlocks(i, span, columns, levels);
    } else {
      lookAtPoints(i, span, evidence, columns, levels);
    }
  }
  return levels;
}

}  // namespace slaq
