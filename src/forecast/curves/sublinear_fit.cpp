// f(k) = 1/(a x^2 + b x + c) + d with x = (k - origin)/scale in 0..1 and a, b >= 0, c > 0. For a given d, the
// substitution z = 1/(f - d) makes it linear: z = a x^2 + b x + c. An error e of f is an error of about e z^2
// of z, so the weights are multiplied by (f - d)^4.
#include "forecast/curves/sublinear_fit.h"

#include <cmath>

#include "forecast/curves/search.h"

namespace slaq::forecast {
namespace {

struct Polynomial {
  double a = 0;
  double b = 0;
  double c = 0;
};

// Moments of x under the transformed weights (s), and of z with them (t).
struct Moments {
  double s[5] = {};
  double t[3] = {};
};

Moments momentsFor(const WeightedPairs& pairs, const double* x, double floor) {
  Moments m;
  for (std::size_t i = 0; i < pairs.size; ++i) {
    const double y = pairs.loss[i] - floor;
    const double wz = pairs.weight[i] * y * y * y;  // weight * y^4 * z
    const double w = wz * y;
    const double x2 = x[i] * x[i];
    m.s[0] += w;
    m.s[1] += w * x[i];
    m.s[2] += w * x2;
    m.s[3] += w * x2 * x[i];
    m.s[4] += w * x2 * x2;
    m.t[0] += wz;
    m.t[1] += wz * x[i];
    m.t[2] += wz * x2;
  }
  return m;
}

// Fits the line c + p x^power by least squares. The moments of x^power are `s1`, `s2`, `t1`.
bool solveTwo(double s0, double s1, double s2, double t0, double t1, double& p, double& c) {
  const double determinant = s0 * s2 - s1 * s1;
  if (!(determinant > 1e-14 * s0 * s2)) return false;
  p = (s0 * t1 - s1 * t0) / determinant;
  c = (s2 * t0 - s1 * t1) / determinant;
  return p >= 0 && c > 0;
}

bool solveThree(const Moments& m, Polynomial& q) {
  const double* s = m.s;
  const double d0 = s[2] * s[4] - s[3] * s[3];
  const double d1 = s[1] * s[4] - s[2] * s[3];
  const double d2 = s[1] * s[3] - s[2] * s[2];
  const double determinant = s[0] * d0 - s[1] * d1 + s[2] * d2;
  if (!(determinant > 1e-12 * s[0] * s[2] * s[4])) return false;
  q.c = (m.t[0] * d0 - m.t[1] * d1 + m.t[2] * d2) / determinant;
  q.b = (-m.t[0] * d1 + m.t[1] * (s[0] * s[4] - s[2] * s[2]) - m.t[2] * (s[0] * s[3] - s[1] * s[2])) /
        determinant;
  q.a = (m.t[0] * d2 - m.t[1] * (s[0] * s[3] - s[1] * s[2]) + m.t[2] * (s[0] * s[2] - s[1] * s[1])) /
        determinant;
  return q.a >= 0 && q.b >= 0 && q.c > 0;
}

// Diminishing returns: 1/q is convex from the newest pair (x = 1) on. With a distant floor, and noise for a
// slope, a parabola would fall ever faster; a line never does.
bool isConvexAhead(const Polynomial& q) {
  const double slope = 2 * q.a + q.b;
  return slope * slope >= q.a * (q.a + q.b + q.c);
}

// The best polynomial with a, b >= 0 that is convex ahead: the full one, else the better one with a single
// term, else a constant.
Polynomial solve(const Moments& m) {
  Polynomial full;
  if (solveThree(m, full) && isConvexAhead(full)) return full;
  Polynomial line;
  Polynomial square;
  const bool hasLine = solveTwo(m.s[0], m.s[1], m.s[2], m.t[0], m.t[1], line.b, line.c);
  const bool hasSquare = solveTwo(m.s[0], m.s[2], m.s[4], m.t[0], m.t[2], square.a, square.c);
  // The explained part of the sum of squares decides.
  const double byLine = hasLine ? line.b * m.t[1] + line.c * m.t[0] : 0;
  const double bySquare = hasSquare ? square.a * m.t[2] + square.c * m.t[0] : 0;
  if (hasSquare && isConvexAhead(square) && !(hasLine && byLine >= bySquare)) return square;
  if (hasLine) return line;
  return {0, 0, m.t[0] / m.s[0]};
}

struct SublinearCandidate {
  Polynomial q;
  double floor = 0;
  double squaredError = 0;
};

SublinearCandidate sublinearFor(const WeightedPairs& pairs, const double* x, double floor) {
  SublinearCandidate candidate{solve(momentsFor(pairs, x, floor)), floor, 0};
  for (std::size_t i = 0; i < pairs.size; ++i) {
    const auto& q = candidate.q;
    const double error = pairs.loss[i] - floor - 1.0 / ((q.a * x[i] + q.b) * x[i] + q.c);
    candidate.squaredError += pairs.weight[i] * error * error;
  }
  return candidate;
}

}  // namespace

Curve fitSublinear(const WeightedPairs& pairs) {
  const double lowest = pairs.lowest();
  const double spread = pairs.highest() - lowest;
  const double origin = pairs.iteration[0];
  const double scale = pairs.iteration[pairs.size - 1] - origin;
  if (!(spread > 0) || !(scale > 0)) return Curve{.floor = lowest};

  double x[WeightedPairs::kMost];
  for (std::size_t i = 0; i < pairs.size; ++i) x[i] = (pairs.iteration[i] - origin) / scale;
  // The floor lies below all losses seen, by a thousandth to a thousand times the fall of the loss.
  const auto best = searchLeast(std::log(1e-3), std::log(1e3), 12, 8, [&](double logarithm) {
    return sublinearFor(pairs, x, lowest - spread * std::exp(logarithm));
  });
  return {.family = CurveFamily::Sublinear,
          .floor = best.floor,
          .origin = origin,
          .a = best.q.a / (scale * scale),
          .b = best.q.b / scale,
          .c = best.q.c};
}

}  // namespace slaq::forecast
