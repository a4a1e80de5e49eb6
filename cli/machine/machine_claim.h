// Tells two programs that divide the CPU of one machine of each other.
#pragma once

#include <optional>
#include <string>

namespace slaq::cli::machine {

// From now on others hear of this process. Returns a sentence about the one that was there first, if there is
// one. Processes of other network namespaces, such as of containers, do not hear of each other.
std::optional<std::string> claimMachine();

}  // namespace slaq::cli::machine
