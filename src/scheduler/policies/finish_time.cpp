#include "scheduler/policies/finish_time.h"

#include <cmath>

namespace slaq::scheduler {
namespace {

// The end of a job that has so long to go at its fastest is worth 1.
constexpr double kUnitTime = 3600;

double fastestTimeLeft(const Demand& demand) {
  return *demand.remaining / demand.speed.fastest(inCores(demand.cores(demand.max)));
}

}  // namespace

Division FinishTime::divide(const AllocationProblem& problem) const {
  std::vector<Demand> demands(problem.demands.begin(), problem.demands.end());
  for (Demand& demand : demands) {
    if (demand.remaining) demand.normalizer = std::sqrt(kUnitTime / fastestTimeLeft(demand));
  }
  AllocationProblem weighted = problem;
  weighted.demands = demands;
  return LookAhead::divide(weighted);
}

}  // namespace slaq::scheduler
