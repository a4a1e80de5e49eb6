// The baseline (section 6.1): a work-conserving fair division of cores, whatever the losses.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

class Fair : public Policy {
 public:
  std::string_view name() const override { return "Fair"; }
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;
  bool usesForecasts() const override { return false; }
};

}  // namespace slaq::scheduler
