// Least attained service: the job that has used least is served first. A baseline that needs no forecast.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

class LeastAttainedService : public Policy {
 public:
  std::string_view name() const override { return "LeastAttainedService"; }

  // Every job gets its minimum; then unit by unit goes to the job that will have used the fewest core-seconds
  // for its weight after the horizon. A growth pays if the job has clearly been served less than all those
  // that give cores for it.
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;
  bool usesForecasts() const override { return false; }
};

}  // namespace slaq::scheduler
