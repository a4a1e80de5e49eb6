// The table of `slaq run` on a terminal.
#pragma once

#include <string>

#include "cli/jobs/job_rows.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::jobs {

// A heading and one line for each job, each line within the frame's columns and all within its lines. What
// has no room is left out: reasons first, then bars.
std::string liveTable(const RunSnapshot& snapshot, const terminal::Frame& frame);

// What a state looks like wherever one is shown.
terminal::Colour colourOf(JobState state);

}  // namespace slaq::cli::jobs
