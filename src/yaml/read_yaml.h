// Reads YAML strictly: every document of a file as JSON with the line of every field, or one error with file
// and line. Only this folder uses yaml-cpp.
//
// All is read as kubectl and the API server read it, so that a manifest means the same here and there.
// scalar.h says what plain scalars mean. A map takes from its merge key (<<) the fields that it does not have
// itself. Quoted scalars, block scalars and those tagged !!str are text. What JSON can't hold is refused
// (.nan, .inf, texts with the character \0). So are duplicate keys, keys that are not text, tags other than
// !!str, documents that are not set apart by "---", and files past the bounds of located_document.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "yaml/located_document.h"

namespace slaq::yaml {

// All documents of a file that are not empty. Malformed, with one line "FILE:LINE: sentence".
Result<std::vector<LocatedDocument>> readYaml(const std::string& file, std::string_view text);

}  // namespace slaq::yaml
