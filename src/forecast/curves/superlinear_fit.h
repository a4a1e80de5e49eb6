// Fits the curves of training that converges superlinearly (section 4.2.2): f(k) = mu^(k-b) + c. Only the
// rate -log mu enters nonlinearly; for a given rate, the other parameters follow from a regression line. So
// the fit is a search in one dimension (variable projection).
#pragma once

#include "forecast/curves/curve.h"
#include "forecast/series/weighted_pairs.h"

namespace slaq::forecast {

// Never fails: pairs that do not fall give a constant.
Curve fitSuperlinear(const WeightedPairs& pairs);

}  // namespace slaq::forecast
