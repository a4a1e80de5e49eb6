// The terminal that a command writes to: what it understands, its size, and text that is redrawn in place.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "cli/terminal/grid.h"

namespace slaq::cli::terminal {

// Whether escape sequences are understood.
bool isTerminal(std::FILE* out);

// The room and the style that `out` has: a terminal's size, or lines of any length without colours. Colours
// unless NO_COLOR is set.
Frame frameOf(std::FILE* out);

// A text on a terminal that is replaced by the next one. The cursor is hidden until the last one.
class RedrawnText {
 public:
  explicit RedrawnText(std::FILE* out);
  ~RedrawnText();
  RedrawnText(const RedrawnText&) = delete;
  RedrawnText& operator=(const RedrawnText&) = delete;

  void show(const std::string& text);
  // What is printed from now on comes below it.
  void finish();

 private:
  std::FILE* out_;
  std::size_t drawn_ = 0;
  bool finished_ = false;
};

// The escape sequence that moves the cursor up by `lines` lines and clears the screen from there.
std::string rewind(std::size_t lines);

}  // namespace slaq::cli::terminal
