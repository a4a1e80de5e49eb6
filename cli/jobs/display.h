// How `slaq run` shows its jobs while they train: a table that is redrawn in place, or lines.
#pragma once

#include <cstdio>
#include <memory>

#include "cli/jobs/job_rows.h"

namespace slaq::cli::jobs {

class Display {
 public:
  virtual ~Display() = default;
  // Called at every epoch, and in between as time passes.
  virtual void show(const RunSnapshot& snapshot) = 0;
  // The last moment was shown; what is printed from now on comes below it.
  virtual void finish() {}
};

// A table on a terminal, unless `plain` or `out` is none.
std::unique_ptr<Display> makeDisplay(std::FILE* out, bool plain);

}  // namespace slaq::cli::jobs
