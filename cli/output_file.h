// Files that commands write beside what they print.
#pragma once

#include <fstream>
#include <string>

#include "base/result.h"

namespace slaq {

// Opens `file` to be written anew; what goes into the stream is lost where `file` is empty. Invalid when it
// can't be: best known before the work begins. `flag` is what named it.
Result<std::ofstream> outputFile(const std::string& file, const std::string& flag);

}  // namespace slaq
