// An answer of Prometheus's query API as plain series. The labels are views into the answer's own text, which
// the matrix keeps: an epoch may bring 16,000 series, and most of their labels are never read.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "http/client.h"

namespace slaq::prom {

struct Point {
  Time time;
  double value = 0;  // NaN and infinities are passed on

  bool operator==(const Point&) const = default;
};

using Label = std::pair<std::string_view, std::string_view>;

struct Series {
  std::string_view metric;
  std::vector<Label> labels;  // sorted by name, without __name__
  std::vector<Point> points;  // ascending in time
};

// The value of a label, or an empty view: Prometheus treats an empty label as absent.
std::string_view labelOf(const Series& series, std::string_view name);

struct Matrix {
  std::unique_ptr<std::string> text;  // owns the memory of the views
  std::vector<Series> series;
};

// Malformed if the body is not a matrix in JSON. If the body is an error of the API, that error is returned.
Result<Matrix> readMatrix(std::string body);

// The matrix in an answer with any status.
Result<Matrix> readAnswer(http::HttpResponse response);

// A value as Prometheus writes it: "0.5", "NaN", "+Inf", "1e-07".
bool readValue(std::string_view text, double& value);

}  // namespace slaq::prom
