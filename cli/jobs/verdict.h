// How two runs of the same jobs compare, in one sentence.
#pragma once

#include <string>

#include "page/document.h"

namespace slaq::cli::jobs {

// The mean times from arrival to 90% of the reduction, over the jobs that came so far in both runs, and which
// of them the first run has later; the same of the times to their end, over those that ended in both.
std::string verdictOf(const page::Run& first, const page::Run& second);

}  // namespace slaq::cli::jobs
