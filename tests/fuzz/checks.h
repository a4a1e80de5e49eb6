// What fuzz targets assert. A check that fails ends the program, which libFuzzer reports as a finding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace slaq::fuzz {

inline std::string_view textOf(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the program with the sentence `what` unless it holds.
void check(bool holds, std::string_view what);

// The text can be shown to a person in one line: it is not empty and has no control characters.
void checkSentence(std::string_view text);

// The same for each of its lines, of which there is at least one.
void checkSentences(std::string_view text);

}  // namespace slaq::fuzz
