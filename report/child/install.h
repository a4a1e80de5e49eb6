// Copies this program to a place where other containers can start it.
#pragma once

#include <string>

#include "base/result.h"

namespace slaq::report {

// Writes FOLDER/slaq-report, and replaces an existing one. Invalid, with a sentence, if that can't be done.
Result<void> installTo(const std::string& folder);

}  // namespace slaq::report
