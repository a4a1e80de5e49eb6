// The table of `slaq run` on a terminal.
#pragma once

#include <cstddef>
#include <string>

#include "cli/scene.h"
#include "cli/text.h"

namespace slaq {

struct Frame {
  std::size_t columns = 100;
  std::size_t lines = 40;
  Style style;
};

// A heading and one line for each job, each line within the frame's columns and all within its lines. What
// has no room is left out from the right: reasons first, then bars.
std::string liveTable(const Scene& scene, const Frame& frame);

}  // namespace slaq
