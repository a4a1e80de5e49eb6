// Reads fitted constants of the forecasts from a file, so that a back-test or a simulation can measure other
// constants than the compiled-in ones (forecast/ensemble/fitted_constants.h).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "forecast/ensemble/fitted_constants.h"

namespace slaq::simulate {

// Reads YAML text with `firstCurve`, a list of levels, and `experts`, a list of mappings with `shape`, `view`
// and `floor`. Invalid or Malformed with one line "FILE:LINE: ..." for each mistake.
Result<forecast::FittedConstants> readConstants(const std::string& file, std::string_view text);

// Reads the constants in a file on disk.
Result<forecast::FittedConstants> loadConstants(const std::string& file);

}  // namespace slaq::simulate
