// Tables for terminals: columns as wide as what is in them, those of least worth left out where there is no
// room.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/terminal/text.h"

namespace slaq::cli::terminal {

// The room that there is to draw in.
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
  int worth = kAlways;    // of two, the one that is worth less is left out first; kAlways never is
  std::size_t least = 0;  // characters wide
  std::size_t most = kAny;
  std::size_t gap = 2;      // blanks before it
  std::string orphan = {};  // its heading once the column before it, which it belongs to, is left out
  std::vector<Cell> cells = {};
};

// A heading and one line for each row, each within the frame's columns unless what is always shown is wider.
// The last column takes what room is left, from its `least` on. REQUIRES: all columns have as many cells.
std::vector<std::string> gridLines(std::vector<Column> columns, const Frame& frame);

// The lines that fit into the frame; the last one tells how many more there are.
std::vector<std::string> withinFrame(std::vector<std::string> lines, const Frame& frame);

// Each line with its end.
std::string joined(const std::vector<std::string>& lines);

}  // namespace slaq::cli::terminal
