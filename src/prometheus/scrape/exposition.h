// Reads the text in which programs export metrics: Prometheus's format 0.0.4 and the part of OpenMetrics that
// is the same. Timestamps and exemplars are skipped.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace slaq::prom {

struct ExposedSample {
  std::string_view name;
  std::vector<std::pair<std::string, std::string>> labels;  // in the order of the text, unescaped
  double value = 0;
};

// Calls `onSample` for each sample in the order of the text. Malformed, with the line's number, at the
// first line that can't be read.
Result<void> readExposition(std::string_view text, const std::function<void(const ExposedSample&)>& onSample);

}  // namespace slaq::prom
