// What a command prints, and the parts of such a text.
#pragma once

#include <string>
#include <vector>

namespace slaq::local::system {

// The standard output of a command that the shell runs; empty where it cannot be started. It waits for its
// end.
std::string outputOf(const std::string& command);

// What is between separators, without blanks around it; without what is blank.
std::vector<std::string> partsOf(const std::string& text, char separator);

}  // namespace slaq::local::system
