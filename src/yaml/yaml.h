// YAML as strictly as a scheduler wants it: every document of a file as JSON, with the line of every field,
// or one error with file and line. yaml-cpp is seen nowhere else but in this folder.
//
// Scalars follow YAML 1.2's core schema; quoted scalars, block scalars and those tagged !!str are text.
// Where YAML 1.1 (what kubectl reads) and 1.2 disagree about a plain scalar, it is refused with a sentence
// that says what to write instead: yes, no, on, off (booleans or text), 010 and 0o10 (octal or decimal),
// 1_000 and 0b1 (numbers or text). So is what JSON can't hold: .nan, .inf, integers past 64 bits.
// Also refused: duplicate keys, keys that are not text, merge keys (<<), tags other than !!str, documents
// that are not set apart by "---", and files past the bounds below.
#pragma once

#include <rapidjson/document.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace slaq {

// The bounds of what is read. Nodes are counted after aliases are expanded.
inline constexpr std::size_t kMostYamlBytes = 4u << 20;
inline constexpr std::size_t kMostYamlNodes = 100'000;
inline constexpr std::size_t kDeepestYaml = 64;

struct LocatedDocument {
  std::string file;
  rapidjson::Document value;
  // Path ("spec.workers.minReplicas", "a.b[0].c", "labels[\"a/b\"]", "" for the whole) to line, from 1. A
  // member's line is its key's. What came by an alias has no lines of its own.
  std::map<std::string, int, std::less<>> lines;
};

// The path of a member of what stands at `path`: with a dot, or quoted in brackets if it is no plain word.
std::string memberPath(const std::string& path, std::string_view key);

// The line of a path; where the document has no such path, of the nearest part that encloses it.
int lineOf(const LocatedDocument& document, std::string_view path);

// "FILE:LINE: path: message": how every mistake in a document is told. An empty path is left out.
std::string describe(const LocatedDocument& document, std::string_view path, std::string_view message);

// All documents of a file that are not empty. Malformed, with one line "FILE:LINE: sentence".
Result<std::vector<LocatedDocument>> readYaml(const std::string& file, std::string_view text);

}  // namespace slaq
