// The losses of a real training, iteration by iteration, which simulations and back-tests replay.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "job/loss_mode.h"

namespace slaq::simulate {

struct Trace {
  std::vector<double> losses;  // [k] after k completed iterations; up to 1e100 in size, two losses at least
};

// The names of the columns of a table that contain a trace. An empty name means the usual ones.
struct TraceColumns {
  std::string iteration = {};  // empty: iteration, step, global_step, epoch or round
  std::string loss = {};       // empty: loss, the only column with "loss" in its name, or value
  std::string job = {};        // in a table with a column `job`: the job to read, where there are several
};

// Reads a table of losses (csv_table.h), such as slaq run --losses and slaq-report --record write, or
// TensorBoard, MLflow and Weights & Biases export. The first row becomes iteration 0, the loss of iterations
// between two rows lies on the line between them, and the last row of an iteration counts. Invalid, with
// `file` and the line, if a column is missing, iterations fall, or a loss is no number.
Result<Trace> readTrace(const std::string& file, std::string_view text, const TraceColumns& columns = {});

// The jobs of a table with a column `job`, in their order; one job without a name for any other table.
// Invalid if the text is not a table.
Result<std::vector<std::string>> jobsIn(const std::string& file, std::string_view text);

// Turns a recorded trace into one whose losses improve by falling, and back.
Trace oriented(LossMode mode, Trace trace);

// Reads the trace in a file on disk.
Result<Trace> loadTrace(const std::string& file, const TraceColumns& columns = {});

}  // namespace slaq::simulate
