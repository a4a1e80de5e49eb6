// What `slaq predict` found, for programs and for people.
#pragma once

#include <string>
#include <vector>

#include "cli/predict/predict_walk.h"

namespace slaq::cli::predict {

// Errors are fractions, by horizon.
std::string predictionJson(const Walk& walk, const std::vector<WalkResult>& results);

// A line for each file, and one for their mean; errors in percent.
std::string predictionTable(const Walk& walk, const std::vector<WalkResult>& results);

}  // namespace slaq::cli::predict
