#include "scheduler/policies/fair.h"

#include "scheduler/allocation/fair_share.h"

namespace slaq::scheduler {

Division Fair::divide(const AllocationProblem& problem) const {
  return {.allocation = fairShare(problem.demands, problem.budget)};
}

std::string Fair::explain(const ExplainedJob&) const { return "its fair share"; }

}  // namespace slaq::scheduler
