// A curve as text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cli/terminal/text.h"

namespace slaq::cli::terminal {

struct CurvePoint {
  Time time;
  double value = 0;

  bool operator==(const CurvePoint&) const = default;
};

struct PlotSize {
  std::size_t columns = 60;  // of the curve, without its labels
  std::size_t lines = 8;
};

// The points over time as an area, with the highest and the lowest value at the left, and the first and the
// last time, counted back from `now`, below. Points that are not finite are left out. Empty for fewer than
// two points.
std::vector<std::string> plotLines(const std::vector<CurvePoint>& points, Time now, PlotSize size,
                                   const Style& style);

}  // namespace slaq::cli::terminal
