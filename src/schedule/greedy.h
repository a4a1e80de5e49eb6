// The loop that the policies share: core by core, or rather unit by unit, to the job that comes first.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "schedule/candidate.h"

namespace slaq {

// A candidate of this priority gets no more.
inline constexpr double kNoPriority = -std::numeric_limits<double>::infinity();

// Everybody gets its minimum; then, again and again, the job with the largest priority(candidate, units) gets
// one more unit, until nothing fits. A job at its maximum, or whose next unit no longer fits, drops out.
// Equal priorities go by order. O((jobs + units) log jobs) calls of `priority`. REQUIRES: the minimums fit
// into `budget`.
template <class Priority>
Allocation giveUnitByUnit(std::span<const Candidate> candidates, const Budget& budget, Priority priority) {
  struct Entry {
    double priority;
    std::uint32_t index;
  };
  const auto comesLater = [](const Entry& a, const Entry& b) {
    return a.priority < b.priority || (a.priority == b.priority && a.index > b.index);
  };

  Allocation allocation(candidates.size());
  std::vector<Entry> heap;
  heap.reserve(candidates.size());
  Budget left = leftBesideMinimums(candidates, budget);
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    allocation[i] = candidates[i].min;
    if (allocation[i] < candidates[i].max) heap.push_back({priority(candidates[i], allocation[i]), i});
  }
  std::make_heap(heap.begin(), heap.end(), comesLater);
  while (!heap.empty() && left.all > Cores()) {
    std::pop_heap(heap.begin(), heap.end(), comesLater);
    Entry& entry = heap.back();
    const Candidate& candidate = candidates[entry.index];
    if (entry.priority == kNoPriority || !left.fits(candidate.perUnit, candidate.group)) {
      heap.pop_back();
      continue;
    }
    left.take(candidate.perUnit, candidate.group);
    if (++allocation[entry.index] == candidate.max) {
      heap.pop_back();
      continue;
    }
    entry.priority = priority(candidate, allocation[entry.index]);
    std::push_heap(heap.begin(), heap.end(), comesLater);
  }
  return allocation;
}

}  // namespace slaq
