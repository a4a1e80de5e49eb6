// Reads whole text files.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace slaq {

// The size above which a file is refused.
inline constexpr std::size_t kLargestText = 64 << 20;

// Invalid, with the file's name, when it can't be read or is larger than kLargestText. An empty file is an
// empty text. Blocks while a pipe has no data.
Result<std::string> readTextFile(const std::string& file);

// The same for regular files only. Pipes and devices, which may never end, are refused without opening them.
Result<std::string> readRegularTextFile(const std::string& file);

}  // namespace slaq
