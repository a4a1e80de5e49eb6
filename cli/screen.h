// Where commands show how it goes: text redrawn in place on a terminal, or lines.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/live_table.h"

namespace slaq {

// Whether escape sequences are understood.
bool isTerminal(std::FILE* out);

// The room and the style that `out` has: a terminal's size, or lines of any length without colours. Colours
// unless NO_COLOR is set.
Frame frameOf(std::FILE* out);

// A text on a terminal that the next one takes the place of. The cursor is hidden meanwhile.
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

// How `slaq run` goes.
class Display {
 public:
  virtual ~Display() = default;
  // Called at every epoch, and in between as time passes.
  virtual void show(const Scene& scene) = 0;
  // The last moment was shown; what is printed from now on comes below it.
  virtual void finish() {}
};

// A table on a terminal, unless `plain` or `out` is none.
std::unique_ptr<Display> makeDisplay(std::FILE* out, bool plain);

// What moves the cursor back over a text of so many lines and clears from there.
std::string rewind(std::size_t lines);

}  // namespace slaq
