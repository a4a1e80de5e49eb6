// Reads the output of a command, and splits such a text.
#pragma once

#include <string>
#include <vector>

namespace slaq::local::system {

// The standard output of a command that the shell runs; empty if the shell cannot be started. Waits for the
// command's end.
std::string outputOf(const std::string& command);

// Returns the parts between separators, without the blanks around them. Blank parts are left out.
std::vector<std::string> partsOf(const std::string& text, char separator);

}  // namespace slaq::local::system
