// A file's whole text.
#pragma once

#include <string>

#include "base/result.h"

namespace slaq {

// Invalid, with the file's name, when it can't be read. An empty file is an empty text.
Result<std::string> readTextFile(const std::string& file);

}  // namespace slaq
