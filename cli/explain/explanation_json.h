// What `slaq explain` knows about a job, as JSON for scripts.
#pragma once

#include <string>

#include "cli/explain/job_story.h"

namespace slaq::cli::explain {

// The same as JSON.
std::string explanationJson(const JobStory& story);

}  // namespace slaq::cli::explain
