#include "cli/terminal/plot.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace slaq::cli::terminal {
namespace {

constexpr std::size_t kLabel = 9;
constexpr int kEighths = 8;
constexpr const char* kBlocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

std::vector<CurvePoint> finiteOf(const std::vector<CurvePoint>& points) {
  std::vector<CurvePoint> out;
  std::ranges::copy_if(points, std::back_inserter(out),
                       [](const CurvePoint& each) { return std::isfinite(each.value); });
  return out;
}

// The newest value in each column; a column without points repeats the previous one.
std::vector<double> sampled(const std::vector<CurvePoint>& points, std::size_t columns) {
  const double begin = points.front().time.time_since_epoch().count();
  const double span = std::max(1e-9, points.back().time.time_since_epoch().count() - begin);
  std::vector<std::optional<double>> found(columns);
  for (const auto& point : points) {
    const double share = (point.time.time_since_epoch().count() - begin) / span;
    found[std::min(columns - 1, static_cast<std::size_t>(share * static_cast<double>(columns)))] =
        point.value;
  }
  std::vector<double> values;
  values.reserve(columns);
  for (const auto& each : found) values.push_back(each.value_or(values.empty() ? 0 : values.back()));
  return values;
}

// The text for a line at `level` (0 the lowest) of a column that is `height` eighths of a line high.
std::string blockAt(int height, int level, const Style& style) {
  const int eighths = std::clamp(height - level * kEighths, 0, kEighths);
  if (style.unicode) return kBlocks[eighths];
  return eighths >= kEighths / 2 ? "#" : " ";
}

std::string axisOf(Seconds first, Seconds last, std::size_t columns) {
  const std::string begin = toClock(first) + " ago";
  const std::string end = last < Seconds(5) ? "now" : toClock(last) + " ago";
  const std::size_t blanks = columns > begin.size() + end.size() ? columns - begin.size() - end.size() : 1;
  return std::string(kLabel + 1, ' ') + begin + std::string(blanks, ' ') + end;
}

}  // namespace

std::vector<std::string> plotLines(const std::vector<CurvePoint>& points, Time now, PlotSize size,
                                   const Style& style) {
  const auto finite = finiteOf(points);
  if (finite.size() < 2 || size.columns == 0 || size.lines < 2) return {};
  const auto values = sampled(finite, size.columns);
  const auto [lowest, highest] = std::ranges::minmax(finite, {}, &CurvePoint::value);
  const double low = lowest.value;
  const double high = highest.value;
  const double range = high > low ? high - low : 1;
  const double most = static_cast<double>(size.lines) * kEighths - 1;
  std::vector<std::string> lines;
  for (std::size_t line = 0; line < size.lines; ++line) {
    const int level = static_cast<int>(size.lines - 1 - line);
    const bool top = line == 0;
    std::string text = right(top ? toDecimal(high) : level == 0 ? toDecimal(low) : "", kLabel) + " ";
    for (const double value : values) {
      text += blockAt(1 + static_cast<int>(std::lround((value - low) / range * most)), level, style);
    }
    lines.push_back(trimmed(std::move(text)));
  }
  lines.push_back(axisOf(now - finite.front().time, now - finite.back().time, size.columns));
  return lines;
}

}  // namespace slaq::cli::terminal
