// Finds out whether another slaq divides the CPU of this machine too.
#pragma once

#include <optional>
#include <string>

namespace slaq::cli::machine {

// Claims the machine for this process. If another process has claimed it already, returns a sentence about
// that process. Processes in other network namespaces, such as those of containers, do not see the claim.
std::optional<std::string> claimMachine();

}  // namespace slaq::cli::machine
