#include "curve/expert.h"

#include <algorithm>
#include <cmath>

#include "curve/expert_table.h"

namespace slaq {
namespace {

// Power laws begin an iteration before the first.
constexpr double kBeforeFirst = 1;

constexpr float kFarBelow = 3;
constexpr float kCloseBelow = 0.7f;
constexpr float kNearBelow = 0.5f;
// The bent floor is below the levels by so much of their fall.
constexpr float kBentLeast = 0.02f;
constexpr float kBentMost = 3;

constexpr float kStraight = 1e9f;  // the reach of a line
constexpr float kUseless = 1e18f;  // a number that no opinion has

// What each view shows, in units of the range, and how far its newest level is above each floor.
struct Sight {
  Lanes since;       // iterations from the newest level to the newest loss
  Lanes recentSpan;  // iterations between the newest two levels
  Lanes beforeSpan;  // and the older two
  Lanes start;       // the iteration of the newest level, counted from one before the first
  Lanes last;        // the newest level less the newest loss
  Lanes recent;      // how much the loss fell between the newest two
  Lanes before;      // and the older two
  Lanes aboveKnown;
  Lanes aboveLikely;
  Lanes aboveNear;
  Lanes aboveBent;
  Lanes aboveFar;
};

// Where exponential decay through the three levels would end (Aitken's extrapolation, for any spacing).
[[gnu::always_inline]] inline Lanes aboveBent(const Sight& sight, Lanes depth, Lanes fall) {
  const Lanes bend = sight.before - sight.recent * sight.beforeSpan / sight.recentSpan;
  const Lanes far = depth + kBentMost * fall;
  const Lanes height = bend > 0.0f ? sight.recent * sight.recent / bend : far;
  return least(most(height, depth + kBentLeast * fall), far);
}

[[gnu::always_inline]] inline Sight look(const Levels& levels, const Evidence& evidence) {
  const double newest = evidence.losses.back();
  const double perUnit = 1 / (evidence.highest - evidence.lowest);
  // How far the newest loss is above it.
  const auto above = [&](double loss) SLAQ_INLINE { return static_cast<float>((newest - loss) * perUnit); };
  Lanes age[3], y[3];
  for (std::size_t i = 0; i < 3; ++i) {
    age[i] = load(levels.ages[i].data());
    y[i] = load(levels.losses[i].data());
  }
  Sight sight;
  sight.since = age[0];
  sight.recentSpan = age[1] - age[0];
  sight.beforeSpan = age[2] - age[1];
  sight.start = static_cast<float>(evidence.iterations.back() + kBeforeFirst) - age[0];
  sight.last = y[0];
  sight.recent = y[1] - y[0];
  sight.before = y[2] - y[1];
  const Lanes fall = most(sight.recent + sight.before, Lanes{});
  const Lanes depth = most(-sight.recent, Lanes{});  // of the lower of the newest two
  const Lanes low = y[0] + above(evidence.lowest);
  const Lanes close = low + kCloseBelow;
  sight.aboveKnown = evidence.floor ? y[0] + above(*evidence.floor) : close;
  sight.aboveLikely = evidence.floorIsNear ? sight.aboveKnown : close;
  sight.aboveNear = depth + kNearBelow * fall;
  sight.aboveBent = aboveBent(sight, depth, fall);
  sight.aboveFar = low + kFarBelow;
  return sight;
}

// What the experts of a group see of it.
template <std::size_t group>
[[gnu::always_inline]] inline Lanes seenBy(Lanes views) {
  static_assert(kViews == kLanes);
  return __builtin_shuffle(
      views, ofEach<group, LaneBits>([](const Expert& expert) SLAQ_INLINE { return expert.view; }));
}

template <std::size_t group>
[[gnu::always_inline]] inline Lanes aboveFloors(const Sight& sight) {
  Lanes above = seenBy<group>(sight.aboveFar);
  above = with<group>(Floor::Known) ? seenBy<group>(sight.aboveKnown) : above;
  above = with<group>(Floor::Likely) ? seenBy<group>(sight.aboveLikely) : above;
  above = with<group>(Floor::Near) ? seenBy<group>(sight.aboveNear) : above;
  return with<group>(Floor::Bent) ? seenBy<group>(sight.aboveBent) : above;
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

// How far each expert of a group is above its floor, and how much the logarithm of that fell.
struct Heights {
  Lanes above;
  Lanes recent;
  Lanes before;
  LaneBits able;
};

template <std::size_t group>
[[gnu::always_inline]] inline Heights heightsOf(const Sight& sight) {
  const Lanes above = aboveFloors<group>(sight);
  const Lanes recent = seenBy<group>(sight.recent);
  const Lanes before = seenBy<group>(sight.before);
  const Lanes middle = above + recent;
  const LaneBits able = (above > 0.0f) & (middle > 0.0f) & (middle + before > 0.0f) & (above < kUseless);
  return {above, logOnePlus(able ? recent / above : Lanes{}), logOnePlus(able ? before / middle : Lanes{}),
          able};
}

template <std::size_t group>
[[gnu::always_inline]] inline Descent descentOf(const Sight& sight, const Heights& heights) {
  const Lanes span = seenBy<group>(sight.recentSpan);
  const auto power = [&]() SLAQ_INLINE { return powerLaw(heights.recent, span, seenBy<group>(sight.start)); };
  if constexpr (allPower(group)) return power();
  Descent descent = hyperbola(heights.recent, span, heights.before, seenBy<group>(sight.beforeSpan));
  if constexpr (anyPower(group)) {
    descent.most = with<group>(Shape::Power) ? power().most : descent.most;
    descent.reach = with<group>(Shape::Power) ? power().reach : descent.reach;
  }
  return descent;
}

template <std::size_t group>
[[gnu::always_inline]] inline void ask(const Sight& sight, const Heights& heights, Opinions& opinions) {
  Descent descent = descentOf<group>(sight, heights);
  const LaneBits falls = heights.recent > 0.0f;
  descent.most = falls ? descent.most : Lanes{};
  descent.reach = falls ? descent.reach : Lanes{} + 1.0f;
  // From the newest level on to the newest loss.
  const Lanes since = seenBy<group>(sight.since);
  const Lanes reach = descent.reach + since;
  const Lanes above = heights.above;
  const Lanes fallen = above * shareFallen(descended<group>(descent.most, descent.reach, since));
  const Lanes amount = with<group>(Shape::Power) ? descent.most : descent.most * descent.reach / reach;
  const LaneBits able = heights.able & (magnitude(amount) < kUseless) & (descent.reach > 0.0f) &
                        (reach < kUseless) & (magnitude(fallen) < kUseless) & ~with<group>(Shape::Level);
  store(able ? seenBy<group>(sight.last) - fallen : Lanes{}, &opinions.lift[group * kLanes]);
  store(able ? above - fallen : Lanes{}, &opinions.height[group * kLanes]);
  store(able ? amount : Lanes{}, &opinions.most[group * kLanes]);
  store(able ? reach : Lanes{}, &opinions.reach[group * kLanes]);
}

}  // namespace

SLAQ_FOR_EACH_PROCESSOR
void askExperts(std::span<const Question> questions) {
  Sight sights[kTogether];
  Heights heights[kTogether][kExperts / kLanes];
  const std::size_t count = questions.size();
  for (std::size_t i = 0; i < count; ++i) sights[i] = look(*questions[i].levels, *questions[i].evidence);
  forEachGroup<kExperts>([&](auto group) SLAQ_INLINE {
    for (std::size_t i = 0; i < count; ++i) heights[i][group] = heightsOf<group>(sights[i]);
    for (std::size_t i = 0; i < count; ++i) ask<group>(sights[i], heights[i][group], *questions[i].opinions);
  });
  // The one that expects no change always may.
  for (const auto& question : questions) question.opinions->reach[0] = 1;
}

}  // namespace slaq
