// The experts of the ensemble: each draws a curve through three levels of the loss and goes on along it. What
// they draw is straight or bent after the logarithm: with z = log(loss - floor), a straight line, the
// hyperbola z(h) = z(0) - A h/(U + h), or the power law z(h) = z(0) - A log(1 + h/U). One expects no change.
// They differ in how far back they look, in whether they see single losses or means over blocks of them, and
// in where they take the floor to be (the table is in expert.cpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace slaq {

inline constexpr std::size_t kExperts = 14;

// What one expert expects: h iterations after the newest loss it is that plus lift - height (1 - exp(-r(h))),
// in units of the losses' range, with r(h) as above.
struct Opinion {
  float lift = 0;
  float height = 0;
  float most = 0;   // A
  float reach = 1;  // U
};

// The losses that experts look at: ascending by iteration, finite.
struct Evidence {
  std::span<const double> iterations;
  std::span<const double> losses;
  double lowest = 0;
  double highest = 0;
  std::optional<double> floor = {};  // the known one, below all losses
};

// Of each expert. Those that can't say anything have no bit in `able`.
struct Opinions {
  std::array<Opinion, kExperts> each{};
  std::uint32_t able = 0;
};

// REQUIRES: three losses at least, highest > lowest.
Opinions askExperts(const Evidence& evidence);

// What expert i expects `ahead` iterations after the newest loss, less that loss, in units of the range.
double changeExpected(const Opinions& opinions, std::size_t i, double ahead);

}  // namespace slaq
