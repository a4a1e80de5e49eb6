// The measured time of a training's iteration with each number of workers, which simulations use instead of
// c*S/N.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "forecast/speed/speed_curve.h"

namespace slaq::simulate {

// Between its rows the speed, one over the time, is interpolated linearly.
struct Scaling {
  std::vector<forecast::SpeedPoint> speeds;  // by workers, of one core each; one row at least

  Workers most() const { return Workers(static_cast<std::int32_t>(speeds.back().size)); }
};

// Reads CSV text with the header `workers,secondsPerIteration` and lines of rising workers. Invalid, with
// `file` and the line, for anything else.
Result<Scaling> readScaling(const std::string& file, std::string_view text);

// Reads the scaling in a file on disk.
Result<Scaling> loadScaling(const std::string& file);

}  // namespace slaq::simulate
