// The table of `slaq run` on a terminal.
#pragma once

#include <string>

#include "cli/jobs/job_rows.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::jobs {

// A heading and one line for each job, each line within the frame's columns and all within its lines. Where
// there is no room, reasons are left out first, then bars.
std::string liveTable(const RunSnapshot& snapshot, const terminal::Frame& frame);

// The colour of a job's state wherever it is shown.
terminal::Colour colourOf(const JobRow& row);

}  // namespace slaq::cli::jobs
