// A loss that slaq-report finds in what an unmodified program writes.
#pragma once

#include <string>
#include <vector>

#include "job/job.h"

namespace slaq {

// The container that runs the optimizer's loop: the one with a port named "metrics", else the first.
// REQUIRES: there is one.
std::size_t mainContainerOf(const PodTemplate& pod);

// Returns the words that come before the main container's command, so that slaq-report starts it. `program`
// is the path of slaq-report. REQUIRES: loss.from.
std::vector<std::string> reportCommand(const LossSpec& loss, const std::string& program);

}  // namespace slaq
