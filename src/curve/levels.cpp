#include "curve/levels.h"

#include <algorithm>
#include <cmath>

#include "curve/lanes.h"
#include "curve/loss_series.h"

namespace slaq {
namespace {

// A pair on the border between two blocks belongs to the newer one, in spite of rounding.
constexpr float kHair = 1e-6f;
constexpr float kThird = 1.0f / 3 + kHair;
constexpr float kTwoThirds = 2.0f / 3 + kHair;
constexpr float kWhole = 1 + kHair;
constexpr float kHalf = 0.5f;

// How long ago something is, in iterations: a part of a span of them, under 1 a share of all seen.
struct Border {
  float span;
  float part;
};

constexpr ViewIndex kFirstOfBlocks = Blocks8;
constexpr std::size_t kBlockViews = kViews - kFirstOfBlocks;
// Some points lie at the oldest ends of blocks.
enum PointBorder : std::uint8_t {
  At8 = 2 * kBlockViews,
  At66 = At8 + 2,
  At4 = 3 * kBlockViews,
  At2,
  At33,
  At17
};

// Of each third of the blocks those of all views, one beside the other, and then those of points.
constexpr Border kBorders[] = {
    {8, kThird},     {32, kThird},     {0.66f, kThird},     {0.95f, kThird},
    {8, kTwoThirds}, {32, kTwoThirds}, {0.66f, kTwoThirds}, {0.95f, kTwoThirds},
    {8, kWhole},     {32, kWhole},     {0.66f, kWhole},     {0.95f, kWhole},
    {4, kWhole},     {4, kHalf},       {0.33f, kWhole},     {0.33f, kHalf},
};
constexpr std::size_t kCount = std::size(kBorders);

struct PointView {
  ViewIndex view;
  PointBorder middle;
  PointBorder oldest;
};
constexpr PointView kPointViews[] = {
    {Points4, At2, At4}, {Points8, At4, At8}, {Points33, At17, At33}, {Points66, At33, At66}};

constexpr std::size_t kMost = LossSeries::kCapacity;
constexpr std::size_t kTogetherSummed = 4;  // one sum alone would wait for each addition
static_assert(kMost % kLanes == 0 && kLanes % kTogetherSummed == 0);

// How long ago each iteration was, and its loss less the newest in units of the range.
struct Columns {
  std::size_t size;
  alignas(64) float ages[kMost];  // endless from the size on to the next whole group of lanes
  alignas(64) float losses[kMost];
};

// Of each border: its age, the first pair that is not older, and the sum of the losses from there on.
struct Cuts {
  alignas(64) float ages[kCount];
  alignas(64) std::int32_t from[kCount];
  alignas(64) float sums[kCount];
};

[[gnu::always_inline]] inline void fill(const Evidence& evidence, Columns& columns) {
  const double now = evidence.iterations.back();
  const double newest = evidence.losses.back();
  const double perUnit = 1 / (evidence.highest - evidence.lowest);
  const LaneBits lane = lanesOf<LaneBits>([](std::size_t i) SLAQ_INLINE { return i; });
  columns.size = evidence.iterations.size();
  for (std::size_t i = 0; i < columns.size; i += kLanes) {
    const LaneBits isSeen = lane < static_cast<std::int32_t>(columns.size - i);
    const Lanes ages = narrowed(now - load<WideLanes>(evidence.iterations.data() + i));
    const Lanes losses = narrowed((load<WideLanes>(evidence.losses.data() + i) - newest) * perUnit);
    store(isSeen ? ages : Lanes{} + HUGE_VALF, &columns.ages[i]);
    store(losses, &columns.losses[i]);
  }
}

// By comparing each pair with all borders at once: where a search for each would wait for its loads, or guess
// wrongly, this does neither, and sums on the way.
template <std::size_t group>
[[gnu::always_inline]] inline void cut(const Columns& columns, Cuts& cuts) {
  const auto ofEachBorder = [](auto number) SLAQ_INLINE {
    return lanesOf([&](std::size_t lane) SLAQ_INLINE { return number(kBorders[group * kLanes + lane]); });
  };
  const Lanes share = ofEachBorder([](const Border& b) SLAQ_INLINE { return b.span < 1 ? b.span : 1; });
  const Lanes most =
      ofEachBorder([](const Border& b) SLAQ_INLINE { return b.span < 1 ? HUGE_VALF : b.span; });
  const Lanes part = ofEachBorder([](const Border& b) SLAQ_INLINE { return b.part; });
  const Lanes border = least(share * columns.ages[0], most) * part;
  LaneBits newer[kTogetherSummed] = {};
  Lanes sums[kTogetherSummed] = {};
  for (std::size_t i = 0; i < columns.size; i += kTogetherSummed) {
    for (std::size_t j = 0; j < kTogetherSummed; ++j) {
      // Numbers less zeros are these numbers; with zeros added it would be an addition, as zeros have signs.
      const LaneBits isNewer = columns.ages[i + j] - Lanes{} <= border;
      newer[j] += isNewer;
      sums[j] += isNewer ? columns.losses[i + j] - Lanes{} : Lanes{};
    }
  }
  const auto size = static_cast<std::int32_t>(columns.size);
  store(border, &cuts.ages[group * kLanes]);
  store(size + ((newer[0] + newer[1]) + (newer[2] + newer[3])), &cuts.from[group * kLanes]);
  store((sums[0] + sums[1]) + (sums[2] + sums[3]), &cuts.sums[group * kLanes]);
}

SLAQ_FOR_EACH_PROCESSOR
void look(const Evidence& evidence, Columns& columns, Cuts& cuts) {
  fill(evidence, columns);
  forEachGroup<kCount>([&](auto group) SLAQ_INLINE { cut<group>(columns, cuts); });
}

std::int32_t nearestTo(PointBorder border, const Columns& columns, const Cuts& cuts) {
  const std::int32_t after = cuts.from[border];
  const std::int32_t before = after - static_cast<std::int32_t>(after > 0);
  const float age = cuts.ages[border];
  return columns.ages[before] - age <= age - columns.ages[after] ? before : after;
}

void lookAtPoints(const PointView& of, const Columns& columns, const Cuts& cuts, Levels& levels) {
  const auto last = static_cast<std::int32_t>(columns.size) - 1;
  const std::int32_t oldest = std::min(nearestTo(of.oldest, columns, cuts), last - 2);
  const std::int32_t middle = std::clamp(nearestTo(of.middle, columns, cuts), oldest + 1, last - 1);
  const std::int32_t points[] = {last, middle, oldest};
  for (std::size_t n = 0; n < 3; ++n) {
    levels.ages[n][of.view] = columns.ages[points[n]];
    levels.losses[n][of.view] = columns.losses[points[n]];
  }
}

// A block is as old as the middle between its first and its last pair.
void lookAtBlocks(std::size_t view, const Columns& columns, const Cuts& cuts, Levels& levels) {
  auto end = static_cast<std::int32_t>(columns.size);
  float newer = 0;
  for (std::size_t block = 0; block < 3; ++block) {
    const std::size_t border = block * kBlockViews + view - kFirstOfBlocks;
    const std::int32_t from = cuts.from[border];
    levels.ages[block][view] = 0.5f * (columns.ages[from] + columns.ages[std::max(end - 1, 0)]);
    levels.losses[block][view] = (cuts.sums[border] - newer) / static_cast<float>(end - from);
    newer = cuts.sums[border];
    end = from;
  }
}

}  // namespace

Levels levelsOf(const Evidence& evidence) {
  Columns columns;
  Cuts cuts;
  look(evidence, columns, cuts);
  Levels levels;
  for (const auto& view : kPointViews) lookAtPoints(view, columns, cuts, levels);
  for (std::size_t view = kFirstOfBlocks; view < kViews; ++view) lookAtBlocks(view, columns, cuts, levels);
  return levels;
}

}  // namespace slaq
