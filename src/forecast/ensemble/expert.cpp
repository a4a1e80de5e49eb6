#include "forecast/ensemble/expert.h"

namespace slaq::forecast {

std::string_view name(Shape shape) {
  switch (shape) {
    case Shape::Level:
      return "Level";
    case Shape::Hyperbola:
      return "Hyperbola";
    case Shape::Power:
      return "Power";
  }
  return "";
}

std::string_view name(View view) {
  switch (view) {
    case View::Points4:
      return "Points4";
    case View::Points8:
      return "Points8";
    case View::Points33:
      return "Points33";
    case View::Points66:
      return "Points66";
    case View::Blocks8:
      return "Blocks8";
    case View::Blocks32:
      return "Blocks32";
    case View::Blocks66:
      return "Blocks66";
    case View::Blocks95:
      return "Blocks95";
  }
  return "";
}

std::string_view name(Floor floor) {
  switch (floor) {
    case Floor::Known:
      return "Known";
    case Floor::Likely:
      return "Likely";
    case Floor::Near:
      return "Near";
    case Floor::Bent:
      return "Bent";
    case Floor::Far:
      return "Far";
  }
  return "";
}

}  // namespace slaq::forecast
