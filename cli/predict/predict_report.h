// The results of `slaq predict` as JSON for scripts, as a table for people and as a page.
#pragma once

#include <string>
#include <vector>

#include "cli/predict/predict_walk.h"

namespace slaq::cli::predict {

// Errors are fractions, by horizon.
std::string predictionJson(const Walk& walk, const std::vector<WalkResult>& results);

// A line for each file, and one for their mean; errors in percent.
std::string predictionTable(const Walk& walk, const std::vector<WalkResult>& results);

// The document of a page (page/document.h): each trace with its forecasts.
std::string predictionDocument(const Walk& walk, const std::vector<WalkResult>& results);

}  // namespace slaq::cli::predict
