// Who the experts of the ensemble are (curve/expert.h) and what they expect, for those who compute with
// lanes: by constants, so that lanes are shuffled and selected as was decided while the program was compiled.
#pragma once

#include <algorithm>

#include "curve/expert.h"
#include "curve/lanes.h"

namespace slaq {

static_assert(kExperts % kLanes == 0);

enum class Shape : std::uint8_t { Hyperbola, Power, Level };

enum class Floor : std::uint8_t {
  Known,   // the owner's target, or 0 while all losses are positive; else close below the lowest loss
  Likely,  // the same, but close below the lowest loss where 0 is far
  Near,    // below the view's levels by half of their fall
  Bent,    // where a line after the logarithm ends that goes through all three levels
  Far,     // below the lowest loss by three times the range seen
};

struct Expert {
  Shape shape = Shape::Level;
  ViewIndex view = Points4;
  Floor floor = Floor::Far;
};

// Found by trying: those of some 200 whose ensemble did best on recorded trainings, as they were, shifted,
// sparse and noisy. Power laws stand together: a group of lanes without them, or with nothing else, takes
// less time.
inline constexpr Expert kExpertTable[kExperts] = {
    {Shape::Level, Points4, Floor::Far},         {Shape::Hyperbola, Points4, Floor::Known},
    {Shape::Hyperbola, Points8, Floor::Likely},  {Shape::Hyperbola, Points33, Floor::Far},
    {Shape::Hyperbola, Points66, Floor::Likely}, {Shape::Hyperbola, Blocks8, Floor::Likely},
    {Shape::Hyperbola, Blocks66, Floor::Likely}, {Shape::Hyperbola, Blocks95, Floor::Near},
    {Shape::Power, Points33, Floor::Likely},     {Shape::Power, Blocks32, Floor::Near},
    {Shape::Power, Blocks32, Floor::Far},        {Shape::Power, Blocks66, Floor::Bent},
    {Shape::Power, Blocks66, Floor::Far},        {Shape::Power, Blocks95, Floor::Likely},
    {Shape::Power, Blocks95, Floor::Near},       {Shape::Power, Blocks95, Floor::Far},
};
// Who can always say something, so that weights never add up to 0.
static_assert(kExpertTable[0].shape == Shape::Level);

// number(expert) of each expert of a group of lanes, known while the program is compiled.
template <std::size_t group, class Values = Lanes, class Number>
[[gnu::always_inline]] inline Values ofEach(Number number) {
  return lanesOf<Values>([&](std::size_t lane)
                             SLAQ_INLINE { return number(kExpertTable[group * kLanes + lane]); });
}

template <std::size_t group>
[[gnu::always_inline]] inline LaneBits with(Shape shape) {
  return ofEach<group, LaneBits>([&](const Expert& expert)
                                     SLAQ_INLINE { return expert.shape == shape ? -1 : 0; });
}

template <std::size_t group>
[[gnu::always_inline]] inline LaneBits with(Floor floor) {
  return ofEach<group, LaneBits>([&](const Expert& expert)
                                     SLAQ_INLINE { return expert.floor == floor ? -1 : 0; });
}

constexpr bool isPower(const Expert& expert) { return expert.shape == Shape::Power; }
constexpr bool anyPower(std::size_t group) {
  return std::any_of(&kExpertTable[group * kLanes], &kExpertTable[group * kLanes] + kLanes, isPower);
}
constexpr bool allPower(std::size_t group) {
  return std::all_of(&kExpertTable[group * kLanes], &kExpertTable[group * kLanes] + kLanes, isPower);
}

// r(h) = most h/(reach + h), or most log(1 + h/reach), of each expert of a group.
template <std::size_t group>
[[gnu::always_inline]] inline Lanes descended(Lanes most, Lanes reach, Lanes ahead) {
  if constexpr (allPower(group)) return most * logOnePlus(ahead / reach);
  const Lanes hyperbolas = most * ahead / (reach + ahead);
  if constexpr (!anyPower(group)) return hyperbolas;
  return with<group>(Shape::Power) ? most * logOnePlus(ahead / reach) : hyperbolas;
}

// What each expert of a group expects `ahead` > 0 iterations after the newest loss, less that loss, in units
// of the range.
template <std::size_t group>
[[gnu::always_inline]] inline Lanes changesExpected(const Opinions& opinions, float ahead) {
  const auto of = [](const Numbers& numbers) SLAQ_INLINE { return load(&numbers[group * kLanes]); };
  const Lanes r = descended<group>(of(opinions.most), of(opinions.reach), Lanes{} + ahead);
  return of(opinions.lift) - of(opinions.height) * shareFallen(r);
}

}  // namespace slaq
