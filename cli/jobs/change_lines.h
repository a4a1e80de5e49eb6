// The output of `slaq run` without a terminal: one line for each change.
#pragma once

#include <string>
#include <vector>

#include "cli/jobs/job_rows.h"

namespace slaq::cli::jobs {

// The changes between two moments, in the order of the jobs: "   12.3 s  logreg  2 -> 5 workers: why".
std::vector<std::string> changeLines(const std::vector<JobRow>& before, const RunSnapshot& now);

// "once", "3 times".
std::string timesText(int times);

}  // namespace slaq::cli::jobs
