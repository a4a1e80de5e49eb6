// The loss that a page of metrics shows.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ports/loss_source.h"

namespace slaq::prom {

// The problem of a program in whose output slaq-report has found no loss yet.
inline constexpr const char* kNothingReported =
    "no loss was found so far in what its program writes; --metric names it, --pattern describes its line, "
    "and "
    "--from says where else it is (in a manifest: spec.loss.from)";

// The result of one scrape.
struct ExposedLoss {
  LossSample sample;
  std::optional<std::string> notice = {};  // as in JobLoss
};

// The two metrics of an exposition that was read at `time`. Among several series of one name,
// prometheus/series_choice.h chooses. NotFound if one metric is missing.
Result<ExposedLoss> readLoss(std::string_view exposition, const LossRequest& request, Time time);

}  // namespace slaq::prom
