#include "prometheus/user_query.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>

#include "prometheus/samples.h"

namespace slaq::prom {
namespace {

constexpr std::string_view kMark = "slaq_series";  // the label that tells the two apart
constexpr std::string_view kLoss = "loss";
constexpr std::string_view kIteration = "iteration";

// Each query stands on its own lines, so that positions can be mapped and a query's comments end with it.
std::string marked(std::string_view query, std::string_view mark) {
  return "label_replace(\n" + std::string(query) + "\n,\"" + std::string(kMark) + "\",\"" +
         std::string(mark) + "\",\"\",\"\")";
}

int linesOf(std::string_view text) { return 1 + static_cast<int>(std::ranges::count(text, '\n')); }

Time floorTo(Time time, Seconds step) { return Time(step * std::floor(time.time_since_epoch() / step)); }

// The result of one of the two queries.
struct Found {
  std::map<Time, double> values;
  int series = 0;
  bool isAmbiguous = false;  // two series had a value at one step
};

Found seriesMarked(const Matrix& matrix, std::string_view mark) {
  Found found;
  for (const Series& series : matrix.series) {
    if (labelOf(series, kMark) != mark) continue;
    ++found.series;
    for (const Point& point : series.points) {
      found.isAmbiguous |= !found.values.emplace(point.time, point.value).second;
    }
  }
  return found;
}

std::optional<std::string> problemOf(const Found& found, const char* query) {
  if (found.values.empty()) return std::string(query) + " gives no series";
  if (!found.isAmbiguous) return std::nullopt;
  return std::string(query) + " gives " + std::to_string(found.series) +
         " series; aggregate them, such as max(...)";
}

// Keeps the first and the last of equal samples in a row.
void keep(std::vector<LossSample>& samples, const LossSample& sample) {
  const auto size = samples.size();
  if (size >= 2 && repeats(samples[size - 1], sample) && repeats(samples[size - 2], sample))
    samples.pop_back();
  samples.push_back(sample);
}

// A position in a text; line and column count from 1.
struct Place {
  int line = 1;
  std::uint32_t column = 1;
};

// Takes the position off the text: "2:7: parse error" is line 2, column 7.
std::optional<Place> takePlace(std::string_view& text) {
  // Unsigned, and too short for the arithmetic on lines to overflow.
  std::uint16_t line = 0;
  std::uint32_t column = 0;
  const char* last = text.data() + text.size();
  const auto [colon, noLine] = std::from_chars(text.data(), last, line);
  if (noLine != std::errc() || colon == last || *colon != ':') return std::nullopt;
  const auto [end, noColumn] = std::from_chars(colon + 1, last, column);
  if (noColumn != std::errc() || end == last || *end != ':') return std::nullopt;
  if (line == 0 || column == 0) return std::nullopt;
  text.remove_prefix(std::min(text.size(), static_cast<std::size_t>(end - text.data()) + 2));
  return Place{line, column};
}

// Maps a position in the combined text to the query that it lies in. An unclosed bracket of a query is
// noticed only in the line after the query.
std::string inOne(Place place, const LossRequest& job) {
  const int first = linesOf(job.query);
  const bool isLoss = place.line <= first + 2;
  const int line = place.line - (isLoss ? 1 : first + 2);
  const bool within = line <= (isLoss ? first : linesOf(job.iterationQuery));
  const std::string in = isLoss ? "spec.loss.query" : "spec.loss.iterationQuery";
  if (line == 0) return in;  // the line before the query
  return in + (within ? ", line " + std::to_string(line) + ", column " + std::to_string(place.column)
                      : ", at its end");
}

}  // namespace

Query userQuery(const LossRequest& job, Time now, Seconds leastStep) {
  const Time since = std::min(job.since, now);
  const Seconds step = stepFor(since, now, leastStep);
  const std::string text = marked(job.query, kLoss) + " or " + marked(job.iterationQuery, kIteration);
  return rangeQuery(text, {floorTo(since, step), floorTo(now, step), step});
}

JobLoss readUserQuery(const Matrix& matrix, const LossRequest& job) {
  const Found loss = seriesMarked(matrix, kLoss);
  const Found iterations = seriesMarked(matrix, kIteration);
  if (auto problem = problemOf(loss, "spec.loss.query")) return {{}, problem};
  if (auto problem = problemOf(iterations, "spec.loss.iterationQuery")) return {{}, problem};
  JobLoss read;
  bool met = false;
  for (const auto& [time, value] : loss.values) {
    const auto iteration = iterations.values.find(time);
    if (iteration == iterations.values.end()) continue;
    met = true;
    if (time >= job.since) keep(read.samples, {time, Iterations(iteration->second), Loss(value)});
  }
  if (!met) read.problem = "spec.loss.query and spec.loss.iterationQuery never have a value at the same time";
  return read;
}

std::string explainRefusal(std::string_view message, const LossRequest& job) {
  for (const std::string_view known : {"Prometheus refuses the query: ", "invalid parameter \"query\": "}) {
    if (message.starts_with(known)) message.remove_prefix(known.size());
  }
  const auto place = takePlace(message);
  return "Prometheus refuses " +
         (place ? inOne(*place, job) : "spec.loss.query or spec.loss.iterationQuery") + ": " +
         std::string(message);
}

}  // namespace slaq::prom
