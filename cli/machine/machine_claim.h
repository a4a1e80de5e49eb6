// Finds out whether another slaq divides the CPU of this machine too.
#pragma once

#include <optional>
#include <string>

namespace slaq::cli::machine {

// Makes this process the one that others find, unless there is one already: then it returns a sentence about
// that one. Processes of other network namespaces, such as of containers, do not hear of each other.
std::optional<std::string> claimMachine();

}  // namespace slaq::cli::machine
