// Fits the curves of training that converges sublinearly (section 4.2.2): f(k) = 1/(a k^2 + b k + c) + d.
// Only the floor d enters nonlinearly; for a given floor, the other parameters follow from a small linear
// system. So the fit is a search in one dimension (variable projection).
#pragma once

#include "forecast/curves/curve.h"
#include "forecast/series/weighted_pairs.h"

namespace slaq::forecast {

// Never fails: pairs that do not fall give a constant at the lowest loss.
Curve fitSublinear(const WeightedPairs& pairs);

}  // namespace slaq::forecast
