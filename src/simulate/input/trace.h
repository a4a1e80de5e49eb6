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

// Which columns of a table hold a trace, by their names. An empty name stands for the usual ones.
struct TraceColumns {
  std::string iteration = {};  // else iteration, step, global_step, epoch or round
  std::string loss = {};       // else loss, the only column with "loss" in its name, or value
  std::string job = {};  // of a table with a column `job`: the job that is meant, where there are several
};

// Reads a table of losses (csv_table.h), such as slaq run --losses and slaq-report --record write, or
// TensorBoard, MLflow and Weights & Biases export. The first row becomes iteration 0, the loss of iterations
// between two rows lies on the line between them, and the last row of an iteration counts. Invalid, with
// `file` and the line, if a column is missing, iterations fall, or a loss is no number.
Result<Trace> readTrace(const std::string& file, std::string_view text, const TraceColumns& columns = {});

// The jobs of a table with a column `job`, in their order; of any other table one without a name. Invalid
// where it is no table.
Result<std::vector<std::string>> jobsIn(const std::string& file, std::string_view text);

// The trace whose losses are to fall of one as it was recorded, and back.
Trace oriented(LossMode mode, Trace trace);

// The trace in `file`, which lies on a disk.
Result<Trace> loadTrace(const std::string& file, const TraceColumns& columns = {});

}  // namespace slaq::simulate
