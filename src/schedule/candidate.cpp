#include "schedule/candidate.h"

namespace slaq {

std::vector<Candidate> beyond(std::span<const Candidate> candidates, const Allocation& allocation) {
  std::vector<Candidate> rest(candidates.begin(), candidates.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i].min = allocation[i];
  return rest;
}

Cores coresOf(std::span<const Candidate> candidates, const Allocation& allocation) {
  Cores sum;
  for (std::size_t i = 0; i < candidates.size(); ++i) sum += candidates[i].cores(allocation[i]);
  return sum;
}

Budget leftBeside(std::span<const Candidate> candidates, const Allocation& allocation, Budget budget) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    budget.take(candidates[i].cores(allocation[i]), candidates[i].group);
  }
  return budget;
}

Budget leftBesideMinimums(std::span<const Candidate> candidates, Budget budget) {
  for (const auto& each : candidates) budget.take(each.cores(each.min), each.group);
  return budget;
}

}  // namespace slaq
