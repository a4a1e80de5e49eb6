// Pieces of text for terminals: cells of a given width, bars, durations. A character is one column wide.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace slaq::cli::terminal {

struct Style {
  bool colours = false;
  bool unicode = true;
};

// The number of columns that the text needs.
std::size_t widthOf(std::string_view text);
// The text in exactly `width` columns: cut, or filled with blanks at its end (left) or before it (right).
std::string left(std::string_view text, std::size_t width);
std::string right(std::string_view text, std::size_t width);
// The text in at most `width` columns; an ellipsis replaces the rest. It is cut after a word, unless the
// first word alone is too long.
std::string cut(std::string_view text, std::size_t width, const Style& style);
std::string trimmed(std::string text);  // without blanks at its end

// "a, b, c and 4 more": `most` of the words, or all if there are no more.
std::string listOf(const std::vector<std::string>& words, std::size_t most);

// A bar of `width` columns, filled by a share of 0..1.
std::string bar(double share, std::size_t width, const Style& style);

enum class Colour { Bold, Dim, Green, Yellow, Red, Cyan };
std::string paint(std::string_view text, Colour colour, const Style& style);

// "0:07", "12:30", "1:02:03".
std::string toClock(Seconds time);
// "4.1 s", "75 s"; "-" for an empty time.
std::string toSeconds(std::optional<Seconds> time);

}  // namespace slaq::cli::terminal
