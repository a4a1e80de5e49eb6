// Finds commands that a shell can't execute, before anything starts.
#pragma once

#include <string>
#include <vector>

namespace slaq::cli::manifests {

// True for the name of a script, such as "train.py".
bool isScript(const std::string& word);

// The command that runs a script: "python3 train.py". Other files are commands themselves.
std::string commandFor(const std::string& script);

// Returns the mistake in a command whose first word can't be executed in this directory, such as "train.py is
// no program on PATH; did you mean 'python3 train.py'?". Scripts and paths are checked. The text is empty if
// they have no mistake, or if only a shell can tell.
std::string mistakeInCommand(const std::vector<std::string>& words);
// Likewise for a command line of the shell.
std::string mistakeInLine(const std::string& line);

}  // namespace slaq::cli::manifests
