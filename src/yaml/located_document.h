// A document as JSON together with the line of every field, so that a mistake in it can be told with its
// place.
#pragma once

#include <rapidjson/document.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace slaq::yaml {

// The bounds of what is read. Nodes are counted after aliases are expanded.
inline constexpr std::size_t kMostYamlBytes = 4u << 20;
inline constexpr std::size_t kMostYamlNodes = 100'000;
inline constexpr std::size_t kDeepestYaml = 64;

struct LocatedDocument {
  std::string file;
  rapidjson::Document value;
  // Path ("spec.workers.minReplicas", "a.b[0].c", "labels[\"a/b\"]", "" for the whole) to line, from 1. A
  // member's line is its key's. Values that came by an alias have no lines of their own.
  std::map<std::string, int, std::less<>> lines;
};

// The path of the member `key` of the value at `path`: with a dot, or quoted in brackets if it is no plain
// word.
std::string memberPath(const std::string& path, std::string_view key);

// The line of a path; if the document has no such path, the line of the nearest enclosing value.
int lineOf(const LocatedDocument& document, std::string_view path);

// "FILE:LINE: path: message": the form of every message about a document. An empty path is left out.
std::string describe(const LocatedDocument& document, std::string_view path, std::string_view message);

}  // namespace slaq::yaml
