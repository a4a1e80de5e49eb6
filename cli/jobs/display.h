// Shows the jobs of `slaq run` while they train: a table that is redrawn in place, or lines.
#pragma once

#include <cstdio>
#include <memory>

#include "cli/jobs/job_rows.h"

namespace slaq::cli::jobs {

class Display {
 public:
  virtual ~Display() = default;
  // Called at every epoch, and repeatedly between epochs.
  virtual void show(const RunSnapshot& snapshot) = 0;
  // Called after the last moment was shown; later output is printed below it.
  virtual void finish() {}
};

// Returns a table on a terminal, or lines if `plain` or if `out` is not a terminal.
std::unique_ptr<Display> makeDisplay(std::FILE* out, bool plain);

}  // namespace slaq::cli::jobs
