// The division that lets trainings end soonest, for users who count jobs done and not losses. The gain of a
// size is the share of the job's remaining iterations that it does within the horizon. It follows the job's
// own speeds, as in Optimus (EuroSys'18). Between two jobs, the one with less left comes first.
#pragma once

#include "scheduler/policies/look_ahead.h"

namespace slaq::scheduler {

class FinishTime : public LookAhead {
 public:
  std::string_view name() const override { return "FinishTime"; }

  // Look-ahead with gains that are weighed by the square root of the remaining time. Without that weight it
  // would be shortest remaining time first, which is best where speeds grow with the cores. Where speed-ups
  // end, a long job that has cores to itself loses less than a short one gains.
  Division divide(const AllocationProblem& problem) const override;

  bool countsCompletion() const override { return true; }

 protected:
  Demand valued(const Demand& demand) const override;
};

}  // namespace slaq::scheduler
