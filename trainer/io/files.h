// Files as wholes: read at once, replaced so that a reader or a crash finds either the old or the new
// content.
#pragma once

#include <string>

#include "base/result.h"

namespace slaq::trainer::io {

// NotFound if there is none, Invalid if it cannot be read.
Result<std::string> readWhole(const std::string& path);
// Writes a neighbour, forces it to disk and renames it. Invalid, naming path and cause, if that cannot be
// done; what was there is then untouched.
Result<void> replaceWhole(const std::string& path, const std::string& content);

// Whether two names are of one file, that exists or would be written.
bool areSame(const std::string& one, const std::string& other);

}  // namespace slaq::trainer::io
