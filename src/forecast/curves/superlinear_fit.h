// The curves of training that converges superlinearly (section 4.2.2): f(k) = mu^(k-b) + c. The rate -log mu
// is the one parameter that enters nonlinearly; for a given one the others follow from a regression line, so
// that the fit is a search in one dimension (variable projection).
#pragma once

#include "forecast/curves/curve.h"
#include "forecast/series/weighted_pairs.h"

namespace slaq::forecast {

// Never fails: pairs that do not fall give a constant.
Curve fitSuperlinear(const WeightedPairs& pairs);

}  // namespace slaq::forecast
