// Compares two runs of the same jobs in one sentence.
#pragma once

#include <string>

#include "page/document.h"

namespace slaq::cli::jobs {

// Compares the mean times from arrival to 90% of the reduction, and then those to the end. A mean is over the
// jobs that reached this in both runs. The sentence names the jobs that are later in the first run.
std::string verdictOf(const page::Run& first, const page::Run& second);

}  // namespace slaq::cli::jobs
