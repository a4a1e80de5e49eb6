#include "simulate/input/scaling.h"

#include "base/text_file.h"
#include "simulate/input/two_columns.h"

namespace slaq::simulate {
namespace {

constexpr TwoColumns kScalingColumns{.header = "workers,secondsPerIteration",
                                     .meaning = "workers and the seconds of an iteration, as in 4,12.5"};

constexpr std::size_t kMostWorkers = 1'000'000;
constexpr double kShortest = 1e-6;
constexpr double kLongest = 1e9;

}  // namespace

Result<Scaling> readScaling(const std::string& file, std::string_view text) {
  Scaling scaling;
  const auto take = [&](std::size_t workers, double seconds) -> std::optional<std::string> {
    const double before = scaling.speeds.empty() ? 0 : scaling.speeds.back().size;
    if (!(static_cast<double>(workers) > before) || workers > kMostWorkers)
      return "the workers must be more than in the line before, from 1 to 1000000";
    if (!(seconds >= kShortest && seconds <= kLongest))
      return "the seconds of an iteration must be from 0.000001 to 1000000000";
    scaling.speeds.push_back({static_cast<double>(workers), 1 / seconds});
    return std::nullopt;
  };
  if (auto read = readTwoColumns(file, text, kScalingColumns, take); !read) return failure(read.error());
  if (scaling.speeds.empty()) return failure(ErrorKind::Invalid, file + ": has no line with workers");
  return scaling;
}

Result<Scaling> loadScaling(const std::string& file) {
  const auto text = readRegularTextFile(file);
  if (!text) return failure(text.error());
  return readScaling(file, *text);
}

}  // namespace slaq::simulate
