#include "scheduler/allocation/reduction_envelope.h"

#include <algorithm>
#include <cmath>

namespace slaq::scheduler {
namespace {

// An iteration has ended if only this part of it is missing: the rest is rounding.
constexpr double kRounding = 1e-6;

// The number of iterations that the envelope reaches ahead. A curve that gathers pace is followed as far as
// the forecast of the final loss goes.
double reachOf(const Demand& demand, double asked) {
  switch (demand.curve.family) {
    case forecast::CurveFamily::Tabulated:
      return demand.curve.origin + static_cast<double>(demand.curve.table.size()) - demand.iteration;
    case forecast::CurveFamily::Sublinear:
      return demand.curve.a > 0 ? std::max(asked, forecast::aheadToFinal(demand.iteration)) : asked;
    case forecast::CurveFamily::Polyline:
      return std::max(asked, forecast::aheadToFinal(demand.iteration));
    default:
      return asked;
  }
}

}  // namespace

ReductionEnvelope::ReductionEnvelope(const Demand& demand, double iterations)
    : curve_(demand.curve),
      ceiling_(demand.ceiling),
      scale_(demand.weight / demand.normalizer),
      done_(std::floor(demand.iteration + kRounding)),
      begun_(std::max(0.0, demand.iteration - done_)),
      lossNow_(lossAt(done_)),
      isConvex_(!demand.remaining && curve_.fallsEverSlower(done_) && curve_.at(done_) <= ceiling_) {
  if (demand.remaining) {
    envelope_.add({0, 0});
    envelope_.add({*demand.remaining, scale_});
  } else if (!isConvex_) {
    addEnds(reachOf(demand, iterations));
  }
}

// The point at which `ends` more iterations have ended.
EnvelopePoint ReductionEnvelope::endAfter(double ends) const {
  return {ends - begun_, scale_ * std::max(0.0, lossNow_ - lossAt(done_ + ends))};
}

void ReductionEnvelope::addEnds(double reach) {
  envelope_.add({0, 0});
  double ahead = 0;
  do {
    ahead = forecast::nextAhead(ahead);
    envelope_.add(endAfter(ahead));
  } while (ahead - begun_ < reach);
}

double ReductionEnvelope::at(double iterations) const {
  if (!isConvex_) return envelope_.at(iterations);
  const double ends = std::floor(begun_ + iterations);
  const EnvelopePoint from = ends > 0 ? endAfter(ends) : EnvelopePoint{0, 0};
  const EnvelopePoint to = endAfter(ends + 1);
  if (!(to.cost > from.cost)) return from.value;  // beyond the precision of a double
  return from.value + (iterations - from.cost) * (to.value - from.value) / (to.cost - from.cost);
}

}  // namespace slaq::scheduler
