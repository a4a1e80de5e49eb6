#include "curve/expert.h"

#include <cmath>
#include <cstring>

// Compiled twice, and chosen when the program starts: for processors with fused multiplication too. Not under
// sanitizers, which are not ready that early.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SLAQ_FOR_EACH_PROCESSOR __attribute__((target_clones("fma", "default")))
#else
#define SLAQ_FOR_EACH_PROCESSOR
#endif

namespace slaq {
namespace {

enum class Shape : std::uint8_t { Hyperbola, Power, Level };

enum Floor : std::uint8_t {
  Known,  // the owner's target, or 0 while all losses are positive; else none
  Near,   // below the view's levels by half of their fall
  Bent,   // where a line after the logarithm ends that goes through all three levels
  Far,    // below the lowest loss by three times the range seen
};
constexpr std::size_t kFloors = 4;

struct Expert {
  Shape shape = Shape::Level;
  ViewIndex view = Points4;
  Floor floor = Far;
};

// Found by trying: those of some 200 whose ensemble did best on recorded trainings, as they were, shifted,
// sparse and noisy. From kFirstPowers on the quartets are power laws, those before are not.
constexpr Expert kTable[kExperts] = {
    {Shape::Level, Points4, Far},        {Shape::Hyperbola, Points4, Known},
    {Shape::Hyperbola, Points8, Known},  {Shape::Hyperbola, Points33, Far},
    {Shape::Hyperbola, Points66, Known}, {Shape::Hyperbola, Blocks8, Known},
    {Shape::Hyperbola, Blocks66, Known}, {Shape::Hyperbola, Blocks95, Near},
    {Shape::Power, Points33, Known},     {Shape::Power, Blocks32, Near},
    {Shape::Power, Blocks32, Far},       {Shape::Power, Blocks66, Bent},
    {Shape::Power, Blocks66, Far},       {Shape::Power, Blocks95, Known},
    {Shape::Power, Blocks95, Near},      {Shape::Power, Blocks95, Far},
};
constexpr std::size_t kFirstPowers = 2;

constexpr float kFarBelow = 3;
constexpr float kNearBelow = 0.5f;
// The bent floor is below the levels by so much of their fall.
constexpr float kBentLeast = 0.02f;
constexpr float kBentMost = 3;

constexpr float kStraight = 1e9f;  // the reach of a line
constexpr float kUseless = 1e18f;  // a number that no opinion has

[[gnu::always_inline]] inline Lanes load(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}

[[gnu::always_inline]] inline void store(Lanes lanes, float* to) { std::memcpy(to, &lanes, sizeof(lanes)); }

// How far the newest level of each view is above each floor.
using Heights = float[kFloors][kViews];

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
    store(load(&levels.aboveKnown[i]), &heights[Known][i]);
    store(depth + kNearBelow * fall, &heights[Near][i]);
    store(aboveBent(levels, i, depth, fall), &heights[Bent][i]);
    store(load(&levels.aboveLow[i]) + kFarBelow, &heights[Far][i]);
  }
}

template <class Get>
[[gnu::always_inline]] inline Lanes ofEach(std::size_t quartet, Get get) {
  const Expert* experts = &kTable[quartet * kLanes];
  return Lanes{get(experts[0]), get(experts[1]), get(experts[2]), get(experts[3])};
}

[[gnu::always_inline]] inline LaneBits who(std::size_t quartet, Shape shape) {
  return ofEach(quartet, [&](const Expert& expert) { return expert.shape == shape ? 1.0f : 0.0f; }) > 0.0f;
}

// r(h) = most h/(reach + h), or most log(1 + h/reach).
template <bool powers>
[[gnu::always_inline]] inline Lanes descended(Lanes most, Lanes reach, Lanes ahead) {
  return powers ? most * logOnePlus(ahead / reach) : most * ahead / (reach + ahead);
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

template <bool powers>
[[gnu::always_inline]] inline void ask(const Levels& levels, const Heights& heights, std::size_t quartet,
                                       Opinions& opinions) {
  const auto column = [&](const Levels::Column& values) {
    return ofEach(quartet, [&](const Expert& expert) { return values[expert.view]; });
  };
  const Lanes above =
      ofEach(quartet, [&](const Expert& expert) { return heights[expert.floor][expert.view]; });
  const Lanes recent = column(levels.recent);
  const Lanes before = column(levels.before);
  const Lanes span = column(levels.recentSpan);
  const Lanes middle = above + recent;
  LaneBits able = (above > 0.0f) & (middle > 0.0f) & (middle + before > 0.0f) & (above < kUseless);
  const Lanes z1 = logOnePlus(able ? recent / above : Lanes{});
  const Lanes z2 = logOnePlus(able ? before / middle : Lanes{});
  Descent descent =
      powers ? powerLaw(z1, span, column(levels.start)) : hyperbola(z1, span, z2, column(levels.beforeSpan));
  descent.most = z1 > 0.0f ? descent.most : Lanes{};
  descent.reach = z1 > 0.0f ? descent.reach : Lanes{} + 1.0f;
  // From the newest level on to the newest loss.
  const Lanes since = column(levels.since);
  const Lanes reach = descent.reach + since;
  const Lanes fallen = above * shareFallen(descended<powers>(descent.most, descent.reach, since));
  const Lanes amount = powers ? descent.most : descent.most * descent.reach / reach;
  able &= (magnitude(amount) < kUseless) & (descent.reach > 0.0f) & (reach < kUseless) &
          (magnitude(fallen) < kUseless) & ~who(quartet, Shape::Level);
  opinions.lift[quartet] = able ? column(levels.last) - fallen : Lanes{};
  opinions.height[quartet] = able ? above - fallen : Lanes{};
  opinions.most[quartet] = able ? amount : Lanes{};
  opinions.reach[quartet] = able ? reach : Lanes{};
}

}  // namespace

SLAQ_FOR_EACH_PROCESSOR
Opinions opinionsOn(const Levels& levels) {
  Heights heights;
  measure(levels, heights);
  Opinions opinions;
  for (std::size_t i = 0; i < kFirstPowers; ++i) ask<false>(levels, heights, i, opinions);
  for (std::size_t i = kFirstPowers; i < kQuartets; ++i) ask<true>(levels, heights, i, opinions);
  opinions.reach[0][0] = 1;  // the one that expects no change always may
  return opinions;
}

Numbers knowingTheFloor() {
  Numbers knowing;
  for (std::size_t i = 0; i < kQuartets; ++i) {
    knowing.of[i] = ofEach(i, [](const Expert& expert) {
      return expert.shape != Shape::Level && expert.floor == Floor::Known ? 1.0f : 0.0f;
    });
  }
  return knowing;
}

Opinions askExperts(const Evidence& evidence) { return opinionsOn(levelsOf(evidence)); }

SLAQ_FOR_EACH_PROCESSOR
Numbers changesExpected(const Opinions& opinions, float ahead) {
  const Lanes each = Lanes{} + ahead;
  Numbers changes;
  for (std::size_t i = 0; i < kQuartets; ++i) {
    const Lanes most = opinions.most[i];
    const Lanes reach = opinions.reach[i];
    const Lanes r =
        i < kFirstPowers ? descended<false>(most, reach, each) : descended<true>(most, reach, each);
    changes.of[i] = opinions.lift[i] - opinions.height[i] * shareFallen(r);
  }
  return changes;
}

}  // namespace slaq
