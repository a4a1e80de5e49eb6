// The experts of the ensemble: each draws a curve through three levels of the loss (curve/levels.h) and goes
// on along it. With z = log(loss - floor) that is the hyperbola z(h) = z(0) - A h/(U + h), straight where the
// loss did not slow down, or the power law z(h) = z(0) - A log(1 + h/U). One expects no change. They differ
// in how far back they look, in whether they see single losses or means over blocks of them, and in where
// they take the floor to be (the table is in expert.cpp). As many are computed at a time as there are
// lanes.
#pragma once

#include <array>

#include "curve/levels.h"

namespace slaq {

inline constexpr std::size_t kExperts = 16;
inline constexpr std::size_t kSeats = roomFor(kExperts);

// One number for each expert; those without an expert say nothing.
using Numbers = std::array<float, kSeats>;

// What the experts expect: h iterations after the newest loss it is that plus lift - height (1 - exp(-r(h))),
// in units of the losses' range, with r(h) as above. Of one that can't say anything: no change, and a reach
// of 0.
struct Opinions {
  Numbers lift{};
  Numbers height{};
  Numbers most{};   // A
  Numbers reach{};  // U
};

// REQUIRES: three losses at least, and that the range and its inverse are finite.
Opinions askExperts(const Evidence& evidence);

// 1 for each expert that takes the known floor for the floor.
const Numbers& knowingTheFloor();

// What each expects `ahead` > 0 iterations after the newest loss, less that loss, in units of the range.
Numbers changesExpected(const Opinions& opinions, float ahead);

}  // namespace slaq
