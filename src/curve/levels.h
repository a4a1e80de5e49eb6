// What the experts look at: three levels of the loss, newest first, that are single losses or means over
// three blocks of them, over a span of iterations or a share of all seen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace slaq {

// The losses that experts look at: ascending by iteration, finite. Both are the beginnings of columns of
// LossSeries::kCapacity numbers.
struct Evidence {
  std::span<const double> iterations;
  std::span<const double> losses;
  double lowest = 0;
  double highest = 0;
  std::optional<double> floor = {};  // the known one, below all losses
  bool floorIsNear = true;           // else hardly anybody is to believe in it (curve/expert_table.h)
};

enum ViewIndex : std::uint8_t { Points4, Points8, Points33, Points66, Blocks8, Blocks32, Blocks66, Blocks95 };
inline constexpr std::size_t kViews = 8;

// The levels of each view: how many iterations ago, of a block the middle between its ends, and the loss less
// the newest in units of the range. The mean over an empty block is not a number.
struct alignas(64) Levels {
  using Column = std::array<float, kViews>;
  Column ages[3];
  Column losses[3];
};

// Points are those nearest to the span and to half of it, but for Points8, whose middle is that of 4
// iterations ago also where fewer than 8 were seen. REQUIRES: three losses at least, whose range and its
// inverse are finite.
Levels levelsOf(const Evidence& evidence);

}  // namespace slaq
