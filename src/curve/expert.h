// The experts of the ensemble: each draws a curve through three levels of the loss (curve/levels.h) and goes
// on along it. With z = log(loss - floor) that is the hyperbola z(h) = z(0) - A h/(U + h), straight where the
// loss did not slow down, or the power law z(h) = z(0) - A log(1 + h/U). One expects no change. They differ
// in how far back they look, in whether they see single losses or means over blocks of them, and in where
// they take the floor to be (curve/expert_table.h). As many are computed at a time as there are lanes.
#pragma once

#include <array>
#include <span>

#include "curve/levels.h"

namespace slaq {

inline constexpr std::size_t kExperts = 16;

// One number for each expert.
using Numbers = std::array<float, kExperts>;

// What the experts expect: h iterations after the newest loss it is that plus lift - height (1 - exp(-r(h))),
// in units of the losses' range, with r(h) as above. Of one that can't say anything: no change, and a reach
// of 0.
struct Opinions {
  Numbers lift{};
  Numbers height{};
  Numbers most{};   // A
  Numbers reach{};  // U
};

struct Question {
  const Evidence* evidence;  // three losses at least; the range and its inverse are finite
  const Levels* levels;      // of the evidence
  Opinions* opinions;        // the answer
};

// Of so many jobs together most is computed in the time that some take alone: while a step of one job waits
// for its numbers, the processor goes on with another's.
inline constexpr std::size_t kTogether = 4;

// REQUIRES: kTogether questions at most.
void askExperts(std::span<const Question> questions);

}  // namespace slaq
