#include "scheduler/policy/fair.h"

#include "scheduler/allocation/fair_share.h"

namespace slaq::scheduler {

Division Fair::divide(const AllocationProblem& problem) const {
  Division division{.allocation = fairShare(problem.demands, problem.budget)};
  division.left = leftBy(problem.demands, division.allocation, problem.budget);
  return division;
}

std::string Fair::explain(const ExplainedJob&) const { return "its fair share"; }

}  // namespace slaq::scheduler
