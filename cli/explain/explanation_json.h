// The output of `slaq explain` about a job as JSON for scripts.
#pragma once

#include <string>

#include "cli/explain/job_story.h"

namespace slaq::cli::explain {

// The story as JSON.
std::string explanationJson(const JobStory& story);

}  // namespace slaq::cli::explain
