// Which experts make up the ensemble. Each draws a curve of one shape through three levels of the loss, which
// it sees by one view, towards one floor (forecast/ensemble/expert_forecasts.h).
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace slaq::forecast {

// With z = log(loss - floor), h iterations after the newest level:
enum class Shape {
  Level,      // no change is expected
  Hyperbola,  // z(h) = z(0) - A h/(U + h), or a straight line where z did not slow down
  Power,      // z(h) = z(0) - A log(1 + h/U)
};

// Three levels, newest first. Points are single losses: the newest one, and those nearest to a span of time
// ago and to half of it. Blocks are means over the thirds of a span. A span is a number of iterations (4, 8,
// 32) or a percentage of all iterations seen.
enum class View { Points4, Points8, Points33, Points66, Blocks8, Blocks32, Blocks66, Blocks95 };

// What an expert takes the loss to tend to.
enum class Floor {
  Known,   // the owner's target, or 0 while all losses are positive; else close below the lowest loss
  Likely,  // the same, but close below the lowest loss where 0 is far
  Near,    // below the view's levels by half of their fall
  Bent,    // where an exponential decay through the view's three levels ends
  Far,     // below the lowest loss by three times the range seen
};

inline constexpr std::initializer_list<Shape> kShapes = {Shape::Level, Shape::Hyperbola, Shape::Power};
inline constexpr std::initializer_list<View> kViews = {View::Points4,  View::Points8, View::Points33,
                                                       View::Points66, View::Blocks8, View::Blocks32,
                                                       View::Blocks66, View::Blocks95};
inline constexpr std::initializer_list<Floor> kFloors = {Floor::Known, Floor::Likely, Floor::Near,
                                                         Floor::Bent, Floor::Far};

std::string_view name(Shape shape);
std::string_view name(View view);
std::string_view name(Floor floor);

struct Expert {
  Shape shape = Shape::Level;
  View view = View::Points4;
  Floor floor = Floor::Far;

  // It takes the floor that is known of the loss for the floor.
  bool usesKnownFloor() const {
    return shape != Shape::Level && (floor == Floor::Known || floor == Floor::Likely);
  }

  bool operator==(const Expert&) const = default;
};

inline constexpr std::size_t kExperts = 16;
using Experts = std::array<Expert, kExperts>;

}  // namespace slaq::forecast
