// Reads what a command prints, and takes such a text apart.
#pragma once

#include <string>
#include <vector>

namespace slaq::local::system {

// The standard output of a command that the shell runs; empty where it cannot be started. It waits for its
// end.
std::string outputOf(const std::string& command);

// Returns the parts between separators, without the blanks around them. Blank parts are left out.
std::vector<std::string> partsOf(const std::string& text, char separator);

}  // namespace slaq::local::system
