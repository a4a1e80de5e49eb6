#include "simulate/input/trace.h"

#include <cmath>

#include "base/text_file.h"
#include "simulate/input/two_columns.h"

namespace slaq::simulate {
namespace {

constexpr TwoColumns kTraceColumns{.header = "iteration,loss",
                                   .meaning = "an iteration and a loss, as in 12,0.25"};

// With larger losses their sums and differences may be no numbers.
constexpr double kLargestLoss = 1e100;

}  // namespace

Result<Trace> readTrace(const std::string& file, std::string_view text) {
  Trace trace;
  const auto take = [&](std::size_t iteration, double loss) -> std::optional<std::string> {
    const std::size_t next = trace.losses.size();
    if (iteration != next) return "the iteration must be " + std::to_string(next) + ": every one from 0";
    if (!(std::abs(loss) <= kLargestLoss)) return "the loss must be a finite number, from -1e100 to 1e100";
    trace.losses.push_back(loss);
    return std::nullopt;
  };
  if (auto read = readTwoColumns(file, text, kTraceColumns, take); !read) return failure(read.error());
  if (trace.losses.size() < 2) return failure(ErrorKind::Invalid, file + ": has no two iterations");
  return trace;
}

Trace oriented(LossMode mode, Trace trace) {
  for (double& loss : trace.losses) loss = oriented(mode, Loss(loss)).value();
  return trace;
}

Result<Trace> loadTrace(const std::string& file) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  return readTrace(file, *text);
}

}  // namespace slaq::simulate
