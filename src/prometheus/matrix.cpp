#include "prometheus/matrix.h"

#ifdef __SSE2__
#define RAPIDJSON_SSE2  // scans strings 16 bytes at a time
#endif
#include <rapidjson/reader.h>

#include <algorithm>

#include "base/text.h"

namespace slaq::prom {

namespace {

constexpr double kLastTime = 253402300799;  // the end of the year 9999, in seconds since 1970

tl::unexpected<Error> malformed(const std::string& what) {
  return failure(ErrorKind::Malformed, "the answer is not one of Prometheus: " + what);
}

// The kind of an error of the API; `errorType` is a word from its documentation.
ErrorKind kindOf(std::string_view errorType) {
  if (errorType == "bad_data" || errorType == "execution") return ErrorKind::Invalid;
  if (errorType == "not_found") return ErrorKind::NotFound;
  return ErrorKind::Transient;  // timeout, canceled, unavailable, internal
}

// Builds a matrix from the parser's events. The position in the answer decides what an event means. Returning
// false ends the parse. Unknown members are skipped.
class AnswerReader : public rapidjson::BaseReaderHandler<rapidjson::UTF8<>, AnswerReader> {
  using Size = rapidjson::SizeType;

 public:
  bool Default() { return skipped_ > 0 || unwanted(); }
  bool RawNumber(const char* text, Size length, bool) {
    if (place_ == Place::Point && part_ == 0 && skipped_ == 0) return time({text, length});
    return Default();
  }
  bool String(const char* text, Size length, bool) { return skipped_ > 0 || word({text, length}); }
  bool Key(const char* text, Size length, bool) {
    if (skipped_ == 0) key_ = {text, length};
    return true;
  }
  bool StartObject() { return skipped_ > 0 ? ++skipped_ > 0 : enterObject(); }
  bool StartArray() { return skipped_ > 0 ? ++skipped_ > 0 : enterArray(); }
  bool EndObject(Size) { return skipped_ > 0 ? skipped_-- > 0 : leave(); }
  bool EndArray(Size) { return skipped_ > 0 ? skipped_-- > 0 : leave(); }

  // The fault at the place where the parse ended.
  std::string complaint() const {
    if (place_ == Place::Values || place_ == Place::Point) return "a series with unreadable samples";
    if (place_ == Place::Item || place_ == Place::Metric) return "a series without its labels";
    return "no matrix of samples";
  }

  Result<std::vector<Series>> series() {
    if (status_ == "error") {
      return failure(kindOf(errorType_), "Prometheus refuses the query: " + printable(error_));
    }
    if (status_ != "success" || resultType_ != "matrix" || !hasResult_)
      return malformed("no matrix of samples");
    return std::move(series_);
  }

 private:
  enum class Place { Start, Answer, Data, Result, Item, Metric, Values, Point, End };

  bool enter(Place place) {
    place_ = place;
    return true;
  }
  bool skip() { return ++skipped_ > 0; }

  // True if the value may be skipped here. A member that must be of another type may not.
  bool unwanted() const {
    switch (place_) {
      case Place::Answer:
        return key_ != "status" && key_ != "data";
      case Place::Data:
        return key_ != "resultType" && key_ != "result";
      case Place::Item:
        return key_ != "metric" && key_ != "values";
      default:
        return false;
    }
  }

  bool enterObject() {
    if (place_ == Place::Start) return enter(Place::Answer);
    if (place_ == Place::Answer && key_ == "data") return enter(Place::Data);
    if (place_ == Place::Result) return beginSeries();
    if (place_ == Place::Item && key_ == "metric") {
      hasMetric_ = true;
      return enter(Place::Metric);
    }
    return unwanted() && skip();
  }

  bool enterArray() {
    if (place_ == Place::Data && key_ == "result") {
      hasResult_ = true;
      return enter(Place::Result);
    }
    if (place_ == Place::Item && key_ == "values") return enter(Place::Values);
    if (place_ == Place::Values) {
      part_ = 0;
      return enter(Place::Point);
    }
    return unwanted() && skip();
  }

  bool beginSeries() {
    // The series before it tells how much space to reserve.
    const std::size_t labels = series_.empty() ? 0 : series_.back().labels.size();
    const std::size_t points = series_.empty() ? 0 : series_.back().points.size();
    Series& series = series_.emplace_back();
    series.labels.reserve(labels);
    series.points.reserve(points);
    hasMetric_ = false;
    return enter(Place::Item);
  }

  bool leave() {
    switch (place_) {
      case Place::Answer:
        return enter(Place::End);
      case Place::Data:
        return enter(Place::Answer);
      case Place::Result:
        return enter(Place::Data);
      case Place::Item:
        return hasMetric_ && enter(Place::Result);
      case Place::Metric:
        return sortLabels() && enter(Place::Item);
      case Place::Values:
        return enter(Place::Item);
      case Place::Point:
        return part_ == 2 && inOrder() && enter(Place::Values);
      default:
        return false;
    }
  }

  bool word(std::string_view text) {
    if (place_ == Place::Metric) return label(text);
    if (place_ == Place::Point) return part_++ == 1 && readValue(text, series_.back().points.back().value);
    if (place_ == Place::Answer && key_ == "status") return keep(status_, text);
    if (place_ == Place::Answer && key_ == "errorType") return keep(errorType_, text);
    if (place_ == Place::Answer && key_ == "error") return keep(error_, text);
    if (place_ == Place::Data && key_ == "resultType") return keep(resultType_, text);
    return unwanted();
  }

  static bool keep(std::string_view& where, std::string_view text) {
    where = text;
    return true;
  }

  bool label(std::string_view text) {
    if (key_ == "__name__") return keep(series_.back().metric, text);
    series_.back().labels.emplace_back(key_, text);
    return true;
  }

  bool time(std::string_view text) {
    double seconds = 0;
    ++part_;
    if (!readValue(text, seconds) || !(seconds >= 0 && seconds <= kLastTime)) return false;
    series_.back().points.push_back({Time(Seconds(seconds)), 0});
    return true;
  }

  bool sortLabels() {
    auto& labels = series_.back().labels;
    if (!std::is_sorted(labels.begin(), labels.end())) std::sort(labels.begin(), labels.end());
    return true;
  }

  bool inOrder() const {
    const auto& points = series_.back().points;
    return points.size() < 2 || points[points.size() - 2].time <= points.back().time;
  }

  Place place_ = Place::Start;
  int skipped_ = 0;  // the depth within a skipped value
  int part_ = 0;     // of a point: its time, then its value
  bool hasMetric_ = false;
  bool hasResult_ = false;
  std::string_view key_, status_, errorType_, error_, resultType_;
  std::vector<Series> series_;
};

ErrorKind kindOf(int status) {
  if (status == 401 || status == 403) return ErrorKind::Forbidden;
  if (status == 404) return ErrorKind::NotFound;
  if (status == 408 || status == 429 || status >= 500) return ErrorKind::Transient;
  return ErrorKind::Invalid;
}

}  // namespace

std::string_view labelOf(const Series& series, std::string_view name) {
  const auto found =
      std::lower_bound(series.labels.begin(), series.labels.end(), name,
                       [](const Label& label, std::string_view wanted) { return label.first < wanted; });
  return found != series.labels.end() && found->first == name ? found->second : std::string_view();
}

bool readValue(std::string_view text, double& value) {
  const auto number = numberFrom<double>(withoutPlus(text));
  if (number) value = *number;
  return number.has_value();
}

Result<Matrix> readMatrix(std::string body) {
  body.append(16, '\0');  // the scanner reads whole blocks
  auto owned = std::make_unique<std::string>(std::move(body));
  // Parses in place, so that the strings need no copies, and without recursion, so that no depth can exhaust
  // the stack.
  constexpr unsigned kFlags =
      rapidjson::kParseInsituFlag | rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
  rapidjson::InsituStringStream text(owned->data());
  rapidjson::Reader reader;
  AnswerReader answer;
  if (!reader.Parse<kFlags>(text, answer)) {
    if (reader.GetParseErrorCode() == rapidjson::kParseErrorTermination) return malformed(answer.complaint());
    return malformed("no whole JSON (error at byte " + std::to_string(reader.GetErrorOffset()) + ")");
  }
  auto series = answer.series();
  if (!series) return failure(series.error());
  return Matrix{std::move(owned), std::move(*series)};
}

Result<Matrix> readAnswer(http::HttpResponse response) {
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

}  // namespace slaq::prom
