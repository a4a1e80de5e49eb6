// A loss that slaq-report finds in what an unmodified program writes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/job.h"

namespace slaq {

// The container that runs the optimizer's loop: the one with a port named "metrics", else the first.
// REQUIRES: there is one.
std::size_t mainContainerOf(const PodTemplate& pod);

// Says what is wrong with a LossFrom::pattern as far as its text shows it without a library: its size, and
// whether it has a group named loss. slaq-report says the rest when it starts.
std::optional<std::string> problemOfPattern(std::string_view pattern);

// Returns the text as it has to stand in a command so that Kubernetes, which makes $$ a $ and $(NAME) the
// value of a variable, leaves it as it is.
std::string withoutExpansion(std::string text);

// Returns the words that come before the main container's command, so that slaq-report starts it. `program`
// is the path of slaq-report. REQUIRES: loss.from.
std::vector<std::string> reportCommand(const LossSpec& loss, const std::string& program);

}  // namespace slaq
