// The losses of a training that once ran, iteration by iteration: what simulations and back-tests replay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/loss_mode.h"

namespace slaq::simulate {

struct Trace {
  std::vector<double> losses;  // [k] after k completed iterations; of a size up to 1e100, two at least
};

// Reads CSV text with the header `iteration,loss` and a line for each iteration from 0. Invalid, with
// `file` and the line, for anything else.
Result<Trace> readTrace(const std::string& file, std::string_view text);

// The trace whose losses are to fall of one as it was recorded, and back.
Trace oriented(LossMode mode, Trace trace);

// The trace in `file`, which lies on a disk.
Result<Trace> loadTrace(const std::string& file);

}  // namespace slaq::simulate
