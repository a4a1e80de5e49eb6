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

// Returns what is wrong with a LossFrom::pattern as far as its text shows it without a library: its size, or
// no group named loss. slaq-report reports other mistakes when it starts.
std::optional<std::string> problemOfPattern(std::string_view pattern);

// Escapes the text so that Kubernetes leaves it in a command as it is. Kubernetes turns $$ into $ and $(NAME)
// into the value of a variable.
std::string withoutExpansion(std::string text);

// Returns the words to put before the main container's command, so that slaq-report starts that command.
// `program` is the path of slaq-report. REQUIRES: loss.from.
std::vector<std::string> reportCommand(const LossSpec& loss, const std::string& program);

}  // namespace slaq
