// Files that commands write in addition to what they print.
#pragma once

#include <fstream>
#include <string>

#include "base/result.h"

namespace slaq::cli::output {

// Empties `file` and opens it for writing, or to append to it; what goes into the stream is lost where `file`
// is empty. Invalid when it can't be: best known before the work begins. `flag` is what named it.
Result<std::ofstream> outputFile(const std::string& file, const std::string& flag,
                                 std::ios::openmode mode = std::ios::out);

// Writes what is still on its way and closes the file. Transient where not all of it could be written: the
// disk is full, say.
Result<void> finish(std::ofstream& out, const std::string& file);

// The same of the standard output.
Result<void> finishStandardOutput();

}  // namespace slaq::cli::output
