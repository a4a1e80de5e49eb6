#include "prometheus/matrix.h"

#include <rapidjson/document.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace slaq {

namespace {

using Json = rapidjson::Value;

std::string_view viewOf(const Json& text) { return {text.GetString(), text.GetStringLength()}; }

const Json* member(const Json& object, const char* name) {
  if (!object.IsObject()) return nullptr;
  const auto found = object.FindMember(name);
  return found == object.MemberEnd() ? nullptr : &found->value;
}

std::string_view textMember(const Json& object, const char* name) {
  const Json* found = member(object, name);
  return found != nullptr && found->IsString() ? viewOf(*found) : std::string_view();
}

tl::unexpected<Error> malformed(const std::string& what) {
  return failure(ErrorKind::Malformed, "the answer is not one of Prometheus: " + what);
}

// What the API's own error means; the type is a word from its documentation.
ErrorKind kindOf(std::string_view errorType) {
  if (errorType == "bad_data" || errorType == "execution") return ErrorKind::Invalid;
  if (errorType == "not_found") return ErrorKind::NotFound;
  return ErrorKind::Transient;  // timeout, canceled, unavailable, internal
}

std::optional<Point> pointOf(const Json& pair) {
  if (!pair.IsArray() || pair.Size() != 2 || !pair[0].IsNumber() || !pair[1].IsString()) return std::nullopt;
  Point point{Time(Seconds(pair[0].GetDouble())), 0};
  if (!readValue(viewOf(pair[1]), point.value)) return std::nullopt;
  return point;
}

bool readLabels(const Json& metric, Series& series) {
  if (!metric.IsObject()) return false;
  series.labels.reserve(metric.MemberCount());
  for (const auto& label : metric.GetObject()) {
    if (!label.value.IsString()) return false;
    const auto name = viewOf(label.name);
    if (name == "__name__") {
      series.metric = viewOf(label.value);
    } else {
      series.labels.emplace_back(name, viewOf(label.value));
    }
  }
  if (!std::is_sorted(series.labels.begin(), series.labels.end())) {
    std::sort(series.labels.begin(), series.labels.end());
  }
  return true;
}

bool readPoints(const Json& values, Series& series) {
  if (!values.IsArray()) return false;
  series.points.reserve(values.Size());
  for (const auto& value : values.GetArray()) {
    const auto point = pointOf(value);
    if (!point) return false;
    series.points.push_back(*point);
  }
  const auto earlier = [](const Point& a, const Point& b) { return a.time < b.time; };
  return std::is_sorted(series.points.begin(), series.points.end(), earlier);
}

Result<std::vector<Series>> seriesIn(const Json& results) {
  std::vector<Series> all;
  all.reserve(results.Size());
  for (const auto& result : results.GetArray()) {
    Series& series = all.emplace_back();
    const Json* metric = member(result, "metric");
    if (metric == nullptr || !readLabels(*metric, series)) return malformed("a series without its labels");
    const Json* values = member(result, "values");
    if (values != nullptr && !readPoints(*values, series)) return malformed("a series with unreadable samples");
  }
  return all;
}

Result<std::vector<Series>> seriesOf(const Json& root) {
  const auto status = textMember(root, "status");
  if (status == "error") {
    return failure(kindOf(textMember(root, "errorType")),
                   "Prometheus refuses the query: " + std::string(textMember(root, "error")));
  }
  const Json* data = member(root, "data");
  if (status != "success" || data == nullptr) return malformed("no status and data");
  const Json* results = member(*data, "result");
  if (textMember(*data, "resultType") != "matrix" || results == nullptr || !results->IsArray()) {
    return malformed("no matrix of samples");
  }
  return seriesIn(*results);
}

ErrorKind kindOf(int status) {
  if (status == 401 || status == 403) return ErrorKind::Forbidden;
  if (status == 404) return ErrorKind::NotFound;
  if (status == 408 || status == 429 || status >= 500) return ErrorKind::Transient;
  return ErrorKind::Invalid;
}

}  // namespace

std::string_view labelOf(const Series& series, std::string_view name) {
  const auto found = std::lower_bound(series.labels.begin(), series.labels.end(), name,
                                      [](const Label& label, std::string_view wanted) { return label.first < wanted; });
  return found != series.labels.end() && found->first == name ? found->second : std::string_view();
}

bool readValue(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  if (text.empty() || text.front() == '+') return false;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size();
}

Result<Matrix> readMatrix(std::string body) {
  Matrix matrix{std::make_unique<std::string>(std::move(body)), {}};
  // In place, so that the strings need no copies; not recursive, so that no depth can exhaust the stack.
  rapidjson::Document document;
  document.ParseInsitu<rapidjson::kParseIterativeFlag>(matrix.text->data());
  if (document.HasParseError()) {
    return malformed("no whole JSON (error at byte " + std::to_string(document.GetErrorOffset()) + ")");
  }
  auto series = seriesOf(document);
  if (!series) return failure(series.error());
  matrix.series = std::move(*series);
  return matrix;
}

Result<Matrix> readAnswer(HttpResponse response) {
  const int status = response.status;
  auto matrix = readMatrix(std::move(response.body));
  if (status == 200) return matrix;
  // The API explains its refusals in JSON; a proxy in front of it does not.
  std::string message = "Prometheus answers with HTTP status " + std::to_string(status);
  if (!matrix && matrix.error().kind != ErrorKind::Malformed) message += " (" + matrix.error().message + ")";
  if (status == 404) message += "; is its path prefix right?";
  if (status >= 300 && status < 400) message += ", a redirect; give the address that it leads to";
  return failure(kindOf(status), message);
}

}  // namespace slaq
