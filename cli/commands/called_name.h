// The name by which the user called this program.
#pragma once

#include <string>
#include <string_view>

namespace slaq::cli::commands {

// "kubectl slaq" where it runs as kubectl's plugin, called kubectl-slaq; else "slaq".
inline std::string calledName(std::string_view program) {
  return program.substr(program.rfind('/') + 1) == "kubectl-slaq" ? "kubectl slaq" : "slaq";
}

}  // namespace slaq::cli::commands
