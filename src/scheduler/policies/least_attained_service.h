// Least attained service: the job that has used the fewest core-seconds is served first. A baseline that
// needs no forecast.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

class LeastAttainedService : public Policy {
 public:
  std::string_view name() const override { return "LeastAttainedService"; }

  // Each job gets its minimum. Then one unit at a time goes to the job that will have used the fewest
  // core-seconds for its weight after the horizon. A growth pays if the job has clearly been served less than
  // all jobs that give cores for it.
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;
  bool usesForecasts() const override { return false; }
};

}  // namespace slaq::scheduler
