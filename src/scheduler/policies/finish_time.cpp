#include "scheduler/policies/finish_time.h"

#include <cmath>

namespace slaq::scheduler {
namespace {

// The end of a job that needs this number of seconds at its fastest is worth 1.
constexpr double kUnitTime = 3600;

double fastestTimeLeft(const Demand& demand) {
  return *demand.remaining / demand.speed.fastest(inCores(demand.cores(demand.max)));
}

}  // namespace

Demand FinishTime::valued(const Demand& demand) const {
  Demand valued = demand;
  if (demand.remaining) valued.normalizer = std::sqrt(kUnitTime / fastestTimeLeft(demand));
  return valued;
}

Division FinishTime::divide(const AllocationProblem& problem) const {
  std::vector<Demand> demands;
  demands.reserve(problem.demands.size());
  for (const Demand& demand : problem.demands) demands.push_back(valued(demand));
  AllocationProblem weighted = problem;
  weighted.demands = demands;
  return LookAhead::divide(weighted);
}

}  // namespace slaq::scheduler
