// What the experts look at: three levels of the loss, newest first, that are single losses or means over
// three blocks of them, over a span of iterations or a share of all seen.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace slaq {

// The losses that experts look at: ascending by iteration, finite.
struct Evidence {
  std::span<const double> iterations;
  std::span<const double> losses;
  double lowest = 0;
  double highest = 0;
  std::optional<double> floor = {};  // the known one, below all losses
  bool floorIsNear = true;           // else few experts are to believe in it
};

enum ViewIndex : std::uint8_t { Points4, Points8, Points33, Points66, Blocks8, Blocks32, Blocks66, Blocks95 };
inline constexpr std::size_t kViews = 8;

// Room for so many numbers in whole lanes (curve/lanes.h), of which no processor has more than 16.
constexpr std::size_t roomFor(std::size_t numbers) { return (numbers + 15) / 16 * 16; }
inline constexpr std::size_t kColumn = roomFor(kViews);

// The levels of each view, in units of the range. Where a block is empty all levels are as deep as the floor.
struct alignas(64) Levels {
  using Column = std::array<float, kColumn>;
  Column since;       // iterations from the newest level to the newest loss
  Column recentSpan;  // iterations between the newest two levels
  Column beforeSpan;  // and the older two
  Column start;       // the iteration of the newest level, counted from one before the first
  Column last;        // the newest level less the newest loss
  Column recent;      // how much the loss fell between the newest two
  Column before;      // and the older two
  Column aboveLow;    // the newest level less the lowest loss
  Column aboveKnown;  // and less the known floor; -HUGE_VALF without one
  bool floorIsNear;
};

// REQUIRES: three losses at least, highest > lowest.
Levels levelsOf(const Evidence& evidence);

}  // namespace slaq
