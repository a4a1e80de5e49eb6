// What `slaq run` prints where there is no terminal: one line whenever something changes.
#pragma once

#include <string>
#include <vector>

#include "cli/jobs/job_rows.h"

namespace slaq::cli::jobs {

// What has changed between two moments, in the order of the jobs: "   12.3 s  logreg  2 -> 5 workers: why".
std::vector<std::string> changeLines(const std::vector<JobRow>& before, const RunSnapshot& now);

// "once", "3 times".
std::string timesText(int times);

}  // namespace slaq::cli::jobs
