// Tables for terminals: columns are as wide as their content, and the least important ones are left out if
// there is no room.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/text.h"

namespace slaq::cli::terminal {

// Beside other columns, a sentence of the tables of jobs fits into a screen of this many columns.
inline constexpr std::size_t kWideScreen = 160;

// The room for a drawing.
struct Frame {
  std::size_t columns = 100;
  std::size_t lines = 40;  // 0: any number
  Style style;
};

struct Cell {
  std::string text;
  std::optional<Colour> colour = {};
};

enum class Align { Left, Right };

struct Column {
  static constexpr int kAlways = 100;
  static constexpr std::size_t kAny = 1000;

  std::string heading;
  Align align = Align::Left;
  int worth = kAlways;    // the column with the least worth is left out first; kAlways never is
  std::size_t least = 0;  // characters wide
  std::size_t most = kAny;
  std::size_t gap = 2;      // blanks before it
  std::string orphan = {};  // its heading when the column before it, to which it belongs, is left out
  bool isSentence =
      false;  // as the last column it may be cut; on a narrow screen its cells have lines of their own
  std::vector<Cell> cells = {};
};

// A heading and one line for each row, within the frame's columns unless the columns that are always shown
// are wider. A last column of sentences takes the rest of the room, at least its `least`. REQUIRES: all
// columns have the same number of cells.
//
// The cells of a last column of sentences are indented lines below their rows, if the screen has fewer than
// kWideScreen columns and enough lines.
std::vector<std::string> gridLines(std::vector<Column> columns, const Frame& frame);

// The lines that fit into the frame; the last one gives the number of the others.
std::vector<std::string> withinFrame(std::vector<std::string> lines, const Frame& frame);

// Joins the lines, each with a line end.
std::string joined(const std::vector<std::string>& lines);

}  // namespace slaq::cli::terminal
