// Where `slaq run` shows how it goes: a table redrawn in place on a terminal, or lines.
#pragma once

#include <cstddef>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "cli/live_table.h"

namespace slaq {

class Display {
 public:
  virtual ~Display() = default;
  // Called at every epoch, and in between as time passes.
  virtual void show(const Scene& scene) = 0;
  // The last moment was shown; what is printed from now on comes below it.
  virtual void finish() {}
};

// A table on a terminal, unless `plain` or `out` is none. Colours unless NO_COLOR is set or TERM is dumb.
std::unique_ptr<Display> makeDisplay(std::FILE* out, bool plain);

// What moves the cursor back over a text of so many lines and clears from there.
std::string rewind(std::size_t lines);

}  // namespace slaq
