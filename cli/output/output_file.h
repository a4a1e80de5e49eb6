// Files that commands write in addition to what they print.
#pragma once

#include <fstream>
#include <string>

#include "base/result.h"

namespace slaq::cli::output {

// Empties `file` and opens it for writing, or opens it for appending. With an empty `file`, output to the
// stream is lost. Invalid if it can't be opened, so call it before the work begins. `flag` is the name of the
// flag with the file.
Result<std::ofstream> outputFile(const std::string& file, const std::string& flag,
                                 std::ios::openmode mode = std::ios::out);

// Writes the buffered rest and closes the file. Transient if not all of it could be written, for example
// because the disk is full.
Result<void> finish(std::ofstream& out, const std::string& file);

// Does the same for the standard output.
Result<void> finishStandardOutput();

}  // namespace slaq::cli::output
