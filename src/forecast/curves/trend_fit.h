// The curve of losses that follow no family (section 7): the recent rate of fall, by the median of slopes,
// which noise and spikes hardly move.
#pragma once

#include <optional>
#include <span>

#include "forecast/curves/curve.h"

namespace slaq::forecast {

// The loss goes towards `target`, below all losses, where there is one; else the rate is expected to go on
// for about as long as the training has gone already. A plateau may end: the rate is never taken for less
// than a tenth of that since the start.
// REQUIRES: columns of the same length, ascending iterations, finite values, at least two pairs.
Curve fitTrend(std::span<const double> iterations, std::span<const double> losses,
               std::optional<double> target);

}  // namespace slaq::forecast
