// The curves of training that converges sublinearly (section 4.2.2): f(k) = 1/(a k^2 + b k + c) + d. The
// floor d is the one parameter that enters nonlinearly; for a given one the others follow from a small linear
// system, so that the fit is a search in one dimension (variable projection).
#pragma once

#include "forecast/curves/curve.h"
#include "forecast/series/weighted_pairs.h"

namespace slaq::forecast {

// Never fails: pairs that do not fall give the constant of the lowest.
Curve fitSublinear(const WeightedPairs& pairs);

}  // namespace slaq::forecast
