// The experts that make up the ensemble. Each sees three levels of the loss through one view, and draws a
// curve of one shape through them towards one floor (forecast/ensemble/expert_forecasts.h).
#pragma once

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>

namespace slaq::forecast {

// The course of z = log(loss - floor), h iterations after the newest level.
enum class Shape {
  Level,      // no change
  Hyperbola,  // z(h) = z(0) - A h/(U + h), or a straight line if z did not slow down
  Power,      // z(h) = z(0) - A log(1 + h/U)
};

// Three levels, newest first. Points are single losses: the newest one, and those nearest to one span ago and
// to half a span ago. Blocks are means over the thirds of a span. A span is a number of iterations (4, 8, 32)
// or a percentage of all iterations seen.
enum class View { Points4, Points8, Points33, Points66, Blocks8, Blocks32, Blocks66, Blocks95 };

// The value to which an expert expects the loss to tend.
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

  // True if the expert's floor is the known floor of the loss.
  bool usesKnownFloor() const {
    return shape != Shape::Level && (floor == Floor::Known || floor == Floor::Likely);
  }

  bool operator==(const Expert&) const = default;
};

inline constexpr std::size_t kExperts = 16;
using Experts = std::array<Expert, kExperts>;

}  // namespace slaq::forecast
