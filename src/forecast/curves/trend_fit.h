// Fits the curve of losses that follow no family (section 7). The recent rate of fall is the median of
// slopes, which noise and spikes hardly move.
#pragma once

#include <optional>
#include <span>

#include "forecast/curves/curve.h"

namespace slaq::forecast {

// With a target, which lies below all losses, the loss goes towards it. Without one, the rate is expected to
// go on for about as long as the training has run already. A plateau may end, so the rate never counts as
// less than a tenth of the rate since the start.
// REQUIRES: columns of the same length, ascending iterations, finite values, at least two pairs.
Curve fitTrend(std::span<const double> iterations, std::span<const double> losses,
               std::optional<double> target);

}  // namespace slaq::forecast
