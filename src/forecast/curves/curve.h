// A forecast of one job's loss as a function of the iteration. It is a curve of one of the two families of
// section 4.2.2, a trend where neither fits, a table, or a constant where nothing better is known. A small
// value; any thread may evaluate it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>

namespace slaq::forecast {

enum class CurveFamily {
  Constant,     // f(k) = floor
  Sublinear,    // f(k) = 1/(a k^2 + b k + c) + d
  Superlinear,  // f(k) = mu^(k-b) + c
  Trend,        // for a loss that follows neither: its recent rate of fall, fading out as in Superlinear
  Tabulated,    // f(origin + i) = table[i], linear in between and level after the end
  Polyline,     // linear between points, level before the first one and after the last
};

std::string_view name(CurveFamily family);

struct CurvePoint {
  double iteration = 0;
  double loss = 0;
};

struct Curve {
  CurveFamily family = CurveFamily::Constant;
  double floor = 0;   // d or c: the value that the loss tends to
  double origin = 0;  // the iteration at which x = 0
  // Sublinear: a, b, c of the polynomial in x = k - origin, all >= 0.
  double a = 0;
  double b = 0;
  double c = 1;
  // Superlinear and trend: amplitude * exp(-rate x), the same as mu^(k-b) with mu = exp(-rate).
  double amplitude = 0;
  double rate = 0;
  // Tabulated: not empty. The owner of the table keeps it longer than the curve lives.
  std::span<const double> table = {};
  // Polyline: not empty, of rising iterations. Their owner keeps them longer than the curve.
  std::span<const CurvePoint> points = {};

  double at(double k) const {
    const double x = k - origin;
    switch (family) {
      case CurveFamily::Sublinear:
        return floor + 1.0 / ((a * x + b) * x + c);
      case CurveFamily::Superlinear:
      case CurveFamily::Trend:
        return floor + amplitude * std::exp(-rate * x);
      case CurveFamily::Tabulated:
        return between(x);
      case CurveFamily::Polyline:
        return along(k);
      case CurveFamily::Constant:
        break;
    }
    return floor;
  }

  // True if from iteration k on the loss falls ever more slowly, or never, as far as the family alone tells.
  bool fallsEverSlower(double k) const {
    const double x = k - origin;
    switch (family) {
      case CurveFamily::Constant:
        return true;
      case CurveFamily::Superlinear:
      case CurveFamily::Trend:
        return amplitude >= 0 && rate >= 0;
      case CurveFamily::Sublinear:
        if (a == 0) return b >= 0 && b * x + c > 0;
        return x >= 0 && 3 * a * a * x * x + 3 * a * b * x + b * b - a * c >= 0;
      case CurveFamily::Tabulated:
      case CurveFamily::Polyline:
        break;
    }
    return false;
  }

  // The fall of the loss from iteration k to k + ahead; never negative. k and ahead may be fractions.
  double reduction(double k, double ahead) const { return std::max(0.0, at(k) - at(k + ahead)); }

 private:
  double along(double k) const {
    const auto after = std::ranges::lower_bound(points, k, {}, &CurvePoint::iteration);
    if (after == points.begin()) return points.front().loss;
    if (after == points.end()) return points.back().loss;
    const CurvePoint& before = *(after - 1);
    const double share = (k - before.iteration) / (after->iteration - before.iteration);
    return before.loss + share * (after->loss - before.loss);
  }

  double between(double x) const {
    if (!(x > 0)) return table.front();
    const auto i = static_cast<std::size_t>(std::min(x, static_cast<double>(table.size())));
    if (i + 1 >= table.size()) return table.back();
    return table[i] + (x - static_cast<double>(i)) * (table[i + 1] - table[i]);
  }
};

}  // namespace slaq::forecast
