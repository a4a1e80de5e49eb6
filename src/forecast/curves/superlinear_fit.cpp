// f(k) = mu^(k-b) + c, written as A exp(-rate x) + c with x = (k - origin)/scale in 0..1. For a given rate, A
// and c follow from a line through (exp(-rate x), f).
#include "forecast/curves/superlinear_fit.h"

#include <cmath>

#include "forecast/curves/search.h"

namespace slaq::forecast {
namespace {

struct SuperlinearCandidate {
  double rate = 0;
  double amplitude = 0;
  double floor = 0;
  double squaredError = 0;
};

SuperlinearCandidate superlinearFor(const WeightedPairs& pairs, const double* x, double rate) {
  double s0 = 0, s1 = 0, s2 = 0, t0 = 0, t1 = 0;
  double e[WeightedPairs::kMost];
  for (std::size_t i = 0; i < pairs.size; ++i) {
    e[i] = std::exp(-rate * x[i]);
    const double w = pairs.weight[i];
    s0 += w;
    s1 += w * e[i];
    s2 += w * e[i] * e[i];
    t0 += w * pairs.loss[i];
    t1 += w * e[i] * pairs.loss[i];
  }
  SuperlinearCandidate candidate{rate, 0, t0 / s0, 0};
  const double determinant = s0 * s2 - s1 * s1;
  if (determinant > 1e-14 * s0 * s2) {
    const double amplitude = (s0 * t1 - s1 * t0) / determinant;
    if (amplitude > 0) {
      candidate.amplitude = amplitude;
      candidate.floor = (s2 * t0 - s1 * t1) / determinant;
    }
  }
  for (std::size_t i = 0; i < pairs.size; ++i) {
    const double error = pairs.loss[i] - candidate.floor - candidate.amplitude * e[i];
    candidate.squaredError += pairs.weight[i] * error * error;
  }
  return candidate;
}

}  // namespace

Curve fitSuperlinear(const WeightedPairs& pairs) {
  const double origin = pairs.iteration[0];
  const double scale = pairs.iteration[pairs.size - 1] - origin;
  if (!(pairs.highest() > pairs.lowest()) || !(scale > 0)) return Curve{.floor = pairs.lowest()};

  double x[WeightedPairs::kMost];
  for (std::size_t i = 0; i < pairs.size; ++i) x[i] = (pairs.iteration[i] - origin) / scale;
  const auto best = searchLeast(std::log(1e-2), std::log(60.0), 12, 8, [&](double logarithm) {
    return superlinearFor(pairs, x, std::exp(logarithm));
  });
  return {.family = CurveFamily::Superlinear,
          .floor = best.floor,
          .origin = origin,
          .amplitude = best.amplitude,
          .rate = best.rate / scale};
}

}  // namespace slaq::forecast
