#include "forecast/curves/curve.h"

namespace slaq::forecast {

std::string_view name(CurveFamily family) {
  switch (family) {
    case CurveFamily::Constant:
      return "Constant";
    case CurveFamily::Sublinear:
      return "Sublinear";
    case CurveFamily::Superlinear:
      return "Superlinear";
    case CurveFamily::Trend:
      return "Trend";
    case CurveFamily::Polyline:
      return "Polyline";
    case CurveFamily::Tabulated:
      return "Tabulated";
  }
  return "Constant";
}

}  // namespace slaq::forecast
