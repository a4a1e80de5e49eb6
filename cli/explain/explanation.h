// The reasons for a job's size, in words and small pictures.
#pragma once

#include <string>

#include "cli/explain/job_story.h"
#include "cli/terminal/grid.h"

namespace slaq::cli::explain {

// The page that `slaq explain` prints.
std::string explanation(const JobStory& story, const terminal::Frame& frame);

}  // namespace slaq::cli::explain
