#include "curve/expert.h"

#include <algorithm>
#include <cmath>

#include "curve/lanes.h"

namespace slaq {
namespace {

enum class Shape : std::uint8_t { Hyperbola, Power, Level };

enum Floor : std::uint8_t {
  Known,   // the owner's target, or 0 while all losses are positive; else close below the lowest loss
  Likely,  // the same, but close below the lowest loss where 0 is far
  Near,    // below the view's levels by half of their fall
  Bent,    // where a line after the logarithm ends that goes through all three levels
  Far,     // below the lowest loss by three times the range seen
};
constexpr std::size_t kFloors = 5;

struct Expert {
  Shape shape = Shape::Level;
  ViewIndex view = Points4;
  Floor floor = Far;
};

// Found by trying: those of some 200 whose ensemble did best on recorded trainings, as they were, shifted,
// sparse and noisy. Lanes beyond them have no expert. Power laws stand together: a group without them takes
// less time.
constexpr Expert kTable[kSeats] = {
    {Shape::Level, Points4, Far},         {Shape::Hyperbola, Points4, Known},
    {Shape::Hyperbola, Points8, Likely},  {Shape::Hyperbola, Points33, Far},
    {Shape::Hyperbola, Points66, Likely}, {Shape::Hyperbola, Blocks8, Likely},
    {Shape::Hyperbola, Blocks66, Likely}, {Shape::Hyperbola, Blocks95, Near},
    {Shape::Power, Points33, Likely},     {Shape::Power, Blocks32, Near},
    {Shape::Power, Blocks32, Far},        {Shape::Power, Blocks66, Bent},
    {Shape::Power, Blocks66, Far},        {Shape::Power, Blocks95, Likely},
    {Shape::Power, Blocks95, Near},       {Shape::Power, Blocks95, Far},
};

static_assert(kColumn % kLanes == 0);

constexpr float kFarBelow = 3;
constexpr float kCloseBelow = 0.7f;
constexpr float kNearBelow = 0.5f;
// The bent floor is below the levels by so much of their fall.
constexpr float kBentLeast = 0.02f;
constexpr float kBentMost = 3;

constexpr float kStraight = 1e9f;  // the reach of a line
constexpr float kUseless = 1e18f;  // a number that no opinion has

// How far the newest level of each view is above each floor.
using Heights = float[kFloors][kColumn];

// Where exponential decay through the three levels would end (Aitken's extrapolation, for any spacing).
[[gnu::always_inline]] inline Lanes aboveBent(const Levels& levels, std::size_t i, Lanes depth, Lanes fall) {
  const Lanes recent = load(&levels.recent[i]);
  const Lanes bend =
      load(&levels.before[i]) - recent * load(&levels.beforeSpan[i]) / load(&levels.recentSpan[i]);
  const Lanes far = depth + kBentMost * fall;
  const Lanes height = bend > 0.0f ? recent * recent / bend : far;
  return least(most(height, depth + kBentLeast * fall), far);
}

[[gnu::always_inline]] inline void measure(const Levels& levels, Heights& heights) {
  for (std::size_t i = 0; i < kViews; i += kLanes) {
    const Lanes recent = load(&levels.recent[i]);
    const Lanes fall = most(recent + load(&levels.before[i]), Lanes{});
    const Lanes depth = most(-recent, Lanes{});  // of the lower of the newest two
    const Lanes known = load(&levels.aboveKnown[i]);
    const Lanes low = load(&levels.aboveLow[i]);
    const Lanes close = low + kCloseBelow;
    const Lanes believed = known > -HUGE_VALF ? known : close;
    store(believed, &heights[Known][i]);
    store(levels.floorIsNear ? believed : close, &heights[Likely][i]);
    store(depth + kNearBelow * fall, &heights[Near][i]);
    store(aboveBent(levels, i, depth, fall), &heights[Bent][i]);
    store(low + kFarBelow, &heights[Far][i]);
  }
}

// get(expert) of each expert of a group.
template <class Get>
[[gnu::always_inline]] inline Lanes ofEach(std::size_t group, Get get) {
  return lanesOf([&](std::size_t lane) SLAQ_INLINE { return get(kTable[group * kLanes + lane]); });
}

[[gnu::always_inline]] inline LaneBits who(std::size_t group, Shape shape) {
  return ofEach(group,
                [&](const Expert& expert) SLAQ_INLINE { return expert.shape == shape ? 1.0f : 0.0f; }) > 0.0f;
}

constexpr bool anyPower(std::size_t group) {
  const auto* experts = &kTable[group * kLanes];
  return std::any_of(experts, experts + kLanes, [](const Expert& e) { return e.shape == Shape::Power; });
}

// r(h) = most h/(reach + h), or most log(1 + h/reach).
template <std::size_t group>
[[gnu::always_inline]] inline Lanes descended(Lanes most, Lanes reach, Lanes ahead) {
  const Lanes hyperbolas = most * ahead / (reach + ahead);
  if constexpr (!anyPower(group)) return hyperbolas;
  return who(group, Shape::Power) ? most * logOnePlus(ahead / reach) : hyperbolas;
}

struct Descent {
  Lanes most;
  Lanes reach;
};

[[gnu::always_inline]] inline Descent powerLaw(Lanes recent, Lanes span, Lanes start) {
  return {recent / logOnePlus(span / (start - span)), start};
}

// What falls by `recent` and before that by `before`, after the logarithm. It is straight where it did not
// slow down.
[[gnu::always_inline]] inline Descent hyperbola(Lanes recent, Lanes recentSpan, Lanes before,
                                                Lanes beforeSpan) {
  const Lanes span = recentSpan + beforeSpan;
  const Lanes slope = recent / recentSpan;
  const Lanes bend = 1.0f - slope / (before / beforeSpan);
  const Lanes bent = span / bend;
  const LaneBits isBent = bend * kStraight > span;
  return {slope * (isBent ? bent - recentSpan : Lanes{} + kStraight), isBent ? bent : Lanes{} + kStraight};
}

template <std::size_t group>
[[gnu::always_inline]] inline void ask(const Levels& levels, const Heights& heights, Opinions& opinions) {
  const auto column = [&](const Levels::Column& values) SLAQ_INLINE {
    return ofEach(group, [&](const Expert& expert) SLAQ_INLINE { return values[expert.view]; });
  };
  const Lanes above =
      ofEach(group, [&](const Expert& expert) SLAQ_INLINE { return heights[expert.floor][expert.view]; });
  const Lanes recent = column(levels.recent);
  const Lanes before = column(levels.before);
  const Lanes span = column(levels.recentSpan);
  const Lanes middle = above + recent;
  LaneBits able = (above > 0.0f) & (middle > 0.0f) & (middle + before > 0.0f) & (above < kUseless);
  const Lanes z1 = logOnePlus(able ? recent / above : Lanes{});
  const Lanes z2 = logOnePlus(able ? before / middle : Lanes{});
  Descent descent = hyperbola(z1, span, z2, column(levels.beforeSpan));
  if constexpr (anyPower(group)) {
    const Descent power = powerLaw(z1, span, column(levels.start));
    descent.most = who(group, Shape::Power) ? power.most : descent.most;
    descent.reach = who(group, Shape::Power) ? power.reach : descent.reach;
  }
  descent.most = z1 > 0.0f ? descent.most : Lanes{};
  descent.reach = z1 > 0.0f ? descent.reach : Lanes{} + 1.0f;
  // From the newest level on to the newest loss.
  const Lanes since = column(levels.since);
  const Lanes reach = descent.reach + since;
  const Lanes fallen = above * shareFallen(descended<group>(descent.most, descent.reach, since));
  const Lanes amount = who(group, Shape::Power) ? descent.most : descent.most * descent.reach / reach;
  able &= (magnitude(amount) < kUseless) & (descent.reach > 0.0f) & (reach < kUseless) &
          (magnitude(fallen) < kUseless) & ~who(group, Shape::Level);
  store(able ? column(levels.last) - fallen : Lanes{}, &opinions.lift[group * kLanes]);
  store(able ? above - fallen : Lanes{}, &opinions.height[group * kLanes]);
  store(able ? amount : Lanes{}, &opinions.most[group * kLanes]);
  store(able ? reach : Lanes{}, &opinions.reach[group * kLanes]);
}

}  // namespace

SLAQ_FOR_EACH_PROCESSOR
Opinions opinionsOn(const Levels& levels) {
  Heights heights;
  measure(levels, heights);
  Opinions opinions;
  forEachGroup<kSeats>([&](auto group) SLAQ_INLINE { ask<group>(levels, heights, opinions); });
  opinions.reach[0] = 1;  // the one that expects no change always may
  return opinions;
}

const Numbers& knowingTheFloor() {
  static constexpr Numbers kKnowing = [] {
    Numbers knowing{};
    std::ranges::transform(kTable, knowing.begin(), [](const Expert& expert) {
      return expert.shape != Shape::Level && (expert.floor == Known || expert.floor == Likely) ? 1.0f : 0.0f;
    });
    return knowing;
  }();
  return kKnowing;
}

Opinions askExperts(const Evidence& evidence) { return opinionsOn(levelsOf(evidence)); }

SLAQ_FOR_EACH_PROCESSOR
Numbers changesExpected(const Opinions& opinions, float ahead) {
  const Lanes each = Lanes{} + ahead;
  Numbers changes;
  forEachGroup<kSeats>([&](auto group) SLAQ_INLINE {
    const auto of = [&](const Numbers& numbers) SLAQ_INLINE { return load(&numbers[group * kLanes]); };
    const Lanes r = descended<group>(of(opinions.most), of(opinions.reach), each);
    store(of(opinions.lift) - of(opinions.height) * shareFallen(r), &changes[group * kLanes]);
  });
  return changes;
}

}  // namespace slaq
