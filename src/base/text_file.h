// A file's whole text.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace slaq {

// Larger ones are no texts of ours.
inline constexpr std::size_t kLargestText = 64 << 20;

// Invalid, with the file's name, when it can't be read or is larger than kLargestText. An empty file is an
// empty text. Waits where a pipe does.
Result<std::string> readTextFile(const std::string& file);

// The same of what lies on a disk: what may never end, as pipes and devices, is refused unopened.
Result<std::string> readRegularTextFile(const std::string& file);

}  // namespace slaq
