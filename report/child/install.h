// Copies this program to where others can start it.
#pragma once

#include <string>

#include "base/result.h"

namespace slaq::report {

// Writes FOLDER/slaq-report, over one that is there. Invalid, with a sentence, if that can't be done.
Result<void> installTo(const std::string& folder);

}  // namespace slaq::report
