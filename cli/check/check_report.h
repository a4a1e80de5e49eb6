// The output of `slaq check`.
#pragma once

#include <string>
#include <vector>

#include "cli/check/findings.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::check {

// A line for each finding, followed by its solution.
std::string checkReport(const std::vector<Finding>& findings, const terminal::Frame& frame);
// {"ok": false, "checks": [{"check", "verdict", "message", "mend"}]}
std::string checkJson(const std::vector<Finding>& findings);

}  // namespace slaq::cli::check
