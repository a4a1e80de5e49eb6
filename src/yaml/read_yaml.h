// Reads YAML strictly: every document of a file as JSON with the line of every field, or one error with file
// and line. Only this folder uses yaml-cpp.
//
// Scalars follow YAML 1.2's core schema; quoted scalars, block scalars and those tagged !!str are text.
// Where YAML 1.1 (what kubectl reads) and 1.2 disagree about a plain scalar, it is refused with a sentence
// that says what to write instead: yes, no, on, off (booleans or text), 010 and 0o10 (octal or decimal),
// 1_000 and 0b1 (numbers or text). Values that JSON can't hold are refused too: .nan, .inf, integers past
// 64 bits, and texts with the character \0. Also refused: duplicate keys, keys that are not text, merge keys
// (<<), tags other than !!str, documents that are not set apart by "---", and files past the bounds of
// located_document.h.
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
