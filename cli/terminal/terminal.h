// The terminal that a command writes to: its abilities, its size, and text that is redrawn in place.
#pragma once

#include <cstddef>
#include <cstdio>
#include <string>

#include "cli/terminal/grid.h"

namespace slaq::cli::terminal {

// True if `out` is a terminal that understands escape sequences.
bool isTerminal(std::FILE* out);

// The size and the style of `out`: a terminal's size, or lines of any length without colours. Terminals get
// colours unless NO_COLOR is set.
Frame frameOf(std::FILE* out);

// A text on a terminal that the next one replaces. The cursor is hidden until finish().
class RedrawnText {
 public:
  explicit RedrawnText(std::FILE* out);
  ~RedrawnText();
  RedrawnText(const RedrawnText&) = delete;
  RedrawnText& operator=(const RedrawnText&) = delete;

  void show(const std::string& text);
  // Later output is printed below the text.
  void finish();

 private:
  std::FILE* out_;
  std::size_t drawn_ = 0;
  bool finished_ = false;
};

// The escape sequence that moves the cursor up by `lines` lines and clears the screen from there.
std::string rewind(std::size_t lines);

}  // namespace slaq::cli::terminal
