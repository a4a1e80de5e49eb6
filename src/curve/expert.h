// The experts of the ensemble: each draws a curve through three levels of the loss and goes on along it. What
// they draw is straight or bent after the logarithm: with z = log(loss - floor), the hyperbola
// z(h) = z(0) - A h/(U + h), which is exponential decay where U is large and a power law for a while where it
// is not, or the power law z(h) = z(0) - A log(1 + h/U) itself. One expects no change. They differ in how far
// back they look, in whether they see single losses or means over blocks of them, and in where they take the
// floor to be.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

namespace slaq {

enum class Shape : std::uint8_t { Hyperbola, Power, Level };

enum class View : std::uint8_t {
  Newest8,  // single losses over the last so many iterations
  Newest16,
  Newest66,  // over the last .66 of all iterations seen
  Blocks66,  // means over three blocks of them
  Blocks95,
};

enum class Floor : std::uint8_t {
  Known,  // the owner's target, or 0 while all losses are positive; else none
  Far,    // below the lowest loss by three times the range seen
  Near,   // below the view's lowest level by half of its fall
};

struct Expert {
  Shape shape;
  View view;
  Floor floor;
};

inline constexpr std::size_t kViews = 5;
inline constexpr std::array kExperts = {
    Expert{Shape::Hyperbola, View::Newest8, Floor::Known},
    Expert{Shape::Hyperbola, View::Newest8, Floor::Far},
    Expert{Shape::Hyperbola, View::Newest8, Floor::Near},
    Expert{Shape::Hyperbola, View::Newest16, Floor::Known},
    Expert{Shape::Hyperbola, View::Newest16, Floor::Far},
    Expert{Shape::Hyperbola, View::Newest16, Floor::Near},
    Expert{Shape::Hyperbola, View::Newest66, Floor::Known},
    Expert{Shape::Hyperbola, View::Newest66, Floor::Far},
    Expert{Shape::Hyperbola, View::Newest66, Floor::Near},
    Expert{Shape::Hyperbola, View::Blocks66, Floor::Known},
    Expert{Shape::Hyperbola, View::Blocks66, Floor::Far},
    Expert{Shape::Hyperbola, View::Blocks66, Floor::Near},
    Expert{Shape::Hyperbola, View::Blocks95, Floor::Known},
    Expert{Shape::Hyperbola, View::Blocks95, Floor::Far},
    Expert{Shape::Hyperbola, View::Blocks95, Floor::Near},
    Expert{Shape::Power, View::Newest66, Floor::Known},
    Expert{Shape::Power, View::Newest66, Floor::Far},
    Expert{Shape::Level, View::Newest8, Floor::Far},
};

// What one expert expects: h iterations after the newest loss it is that plus lift - height (1 - exp(-r(h))),
// in units of the losses' range.
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

// Of each expert, in the order of kExperts. Those that can't say anything have no bit in `able`.
struct Opinions {
  std::array<Opinion, kExperts.size()> each{};
  std::uint32_t able = 0;
};

// REQUIRES: three losses at least, highest > lowest.
Opinions askExperts(const Evidence& evidence);

// What expert i expects `ahead` iterations after the newest loss, less that loss, in units of the range.
double changeExpected(const Opinions& opinions, std::size_t i, double ahead);

}  // namespace slaq
