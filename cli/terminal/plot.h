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

// The points over time as an area, with its highest and lowest value at its left and its first and last
// time, counted back from `now`, below. Points that are no finite number are left out. Nothing for fewer than
// two.
std::vector<std::string> plotLines(const std::vector<CurvePoint>& points, Time now, PlotSize size,
                                   const Style& style);

}  // namespace slaq::cli::terminal
