// The loop that the policies share: core by core, or rather worker by worker, to the job that comes first.
#pragma once

#include <algorithm>
#include <vector>

#include "schedule/candidate.h"

namespace slaq {

// Everybody gets its minimum; then, again and again, the job with the largest priority(candidate, workers)
// gets one more worker, until nothing fits. A job at its maximum, or whose next worker no longer fits, drops
// out. Equal priorities go by order. O((jobs + workers) log jobs) calls of `priority`.
// REQUIRES: the minimums fit into `capacity`.
template <class Priority>
Allocation giveWorkerByWorker(std::span<const Candidate> candidates, Cores capacity, Priority priority) {
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
  Cores left = capacity - minimumsOf(candidates);
  for (std::uint32_t i = 0; i < candidates.size(); ++i) {
    allocation[i] = candidates[i].min;
    if (allocation[i] < candidates[i].max) heap.push_back({priority(candidates[i], allocation[i]), i});
  }
  std::make_heap(heap.begin(), heap.end(), comesLater);
  while (!heap.empty() && left > Cores()) {
    std::pop_heap(heap.begin(), heap.end(), comesLater);
    Entry& entry = heap.back();
    const Candidate& candidate = candidates[entry.index];
    if (candidate.perWorker > left) {
      heap.pop_back();
      continue;
    }
    left -= candidate.perWorker;
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
