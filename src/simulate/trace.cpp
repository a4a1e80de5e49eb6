#include "simulate/trace.h"

#include <cmath>
#include <optional>

#include "base/number.h"
#include "base/text_file.h"

namespace slaq::simulate {
namespace {

constexpr std::string_view kHeader = "iteration,loss";

// With larger losses their sums and differences may be no numbers.
constexpr double kLargestLoss = 1e100;

// Cuts the next line off `text`, without its end of either kind.
std::string_view nextLine(std::string_view& text) {
  const auto end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

tl::unexpected<Error> mistake(const std::string& file, std::size_t line, const std::string& what) {
  return failure(ErrorKind::Invalid, file + ":" + std::to_string(line) + ": " + what);
}

}  // namespace

Result<Trace> readTrace(const std::string& file, std::string_view text) {
  if (nextLine(text) != kHeader) return mistake(file, 1, "the first line must be iteration,loss");
  Trace trace;
  for (std::size_t line = 2; !text.empty(); ++line) {
    const std::string_view row = nextLine(text);
    if (row.empty() && text.empty()) break;
    const auto comma = row.find(',');
    const auto iteration = numberFrom<std::size_t>(row.substr(0, comma));
    const auto loss =
        comma == std::string_view::npos ? std::nullopt : numberFrom<double>(row.substr(comma + 1));
    if (!iteration || !loss) return mistake(file, line, "must be an iteration and a loss, as in 12,0.25");
    if (*iteration != trace.losses.size()) {
      return mistake(file, line,
                     "the iteration must be " + std::to_string(trace.losses.size()) + ": every one from 0");
    }
    if (!(std::abs(*loss) <= kLargestLoss)) {
      return mistake(file, line, "the loss must be a finite number, from -1e100 to 1e100");
    }
    trace.losses.push_back(*loss);
  }
  if (trace.losses.size() < 2) return failure(ErrorKind::Invalid, file + ": has no two iterations");
  return trace;
}

Result<Trace> loadTrace(const std::string& file) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  return readTrace(file, *text);
}

}  // namespace slaq::simulate
