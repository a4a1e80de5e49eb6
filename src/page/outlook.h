// A job's forecast as a curve over time, to be drawn.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/state/history.h"

namespace slaq::page {

// The loss that was expected of a job.
struct Outlook {
  struct Point {
    Seconds time;  // since the run began
    double loss;   // as the job exports it
  };

  Seconds made;              // at that epoch, in time since the run began
  std::vector<Point> curve;  // begins at the newest loss
  // The root mean square error of earlier forecasts of this job, in the units of its loss; empty: not known.
  std::optional<double> error;
};

// The forecast from the newest loss on, over a time as long as the training has taken so far, with its
// present cores. Empty while its own losses or its speed are not known.
std::optional<Outlook> outlookOf(const scheduler::JobHistory& history, LossMode mode, Time now, Time began);

}  // namespace slaq::page
