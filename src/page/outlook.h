// A job's forecast as a curve over time, for people to look at.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/state/history.h"

namespace slaq::page {

// What a job's loss was expected to be.
struct Outlook {
  struct Point {
    Seconds time;  // since the run began
    double loss;   // as the job exports it
  };

  Seconds made;              // at the epoch then, since the run began
  std::vector<Point> curve;  // from the newest loss on
  // The root mean square error of earlier forecasts of this job, in units of its loss; empty: not known.
  std::optional<double> error;
};

// From the newest loss on, for as long again as the training has gone on, with the cores that it has now.
// Empty while its own losses or its speed are not known.
std::optional<Outlook> outlookOf(const scheduler::JobHistory& history, LossMode mode, Time now, Time began);

}  // namespace slaq::page
