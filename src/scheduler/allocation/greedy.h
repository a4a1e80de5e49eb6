// The loop that the policies share: core by core, or rather unit by unit, to the job that comes first.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

// A demand of this priority gets no more.
inline constexpr double kNoPriority = -std::numeric_limits<double>::infinity();

// Everybody gets its minimum; then, again and again, the job with the largest priority(demand, units) gets
// one more unit, or as many as it takes to the next size that it can have, until nothing fits. A job at its
// maximum, or whose next size no longer fits, drops out. Equal priorities go by order. O((jobs + units) log
// jobs) calls of `priority`. REQUIRES: the minimums fit into `budget`.
template <class Priority>
Allocation giveUnitByUnit(std::span<const Demand> demands, const Budget& budget, Priority priority) {
  struct Entry {
    double priority;
    std::uint32_t index;
  };
  const auto comesLater = [](const Entry& a, const Entry& b) {
    return a.priority < b.priority || (a.priority == b.priority && a.index > b.index);
  };

  Allocation allocation(demands.size());
  std::vector<Entry> heap;
  heap.reserve(demands.size());
  Budget left = leftByMinimums(demands, budget);
  for (std::uint32_t i = 0; i < demands.size(); ++i) {
    allocation[i] = demands[i].min;
    if (allocation[i] < demands[i].max) heap.push_back({priority(demands[i], allocation[i]), i});
  }
  std::make_heap(heap.begin(), heap.end(), comesLater);
  while (!heap.empty() && left.all > Cores()) {
    std::pop_heap(heap.begin(), heap.end(), comesLater);
    Entry& entry = heap.back();
    const Demand& demand = demands[entry.index];
    std::int32_t& units = allocation[entry.index];
    const std::int32_t next = *demand.after(units);
    const Cores more = demand.perUnit * (next - units);
    const bool getsMore = entry.priority != kNoPriority && left.fits(more, demand.group);
    if (getsMore) {
      left.take(more, demand.group);
      units = next;
    }
    if (getsMore && units < demand.max) {
      entry.priority = priority(demand, units);
      std::push_heap(heap.begin(), heap.end(), comesLater);
    } else {
      heap.pop_back();
    }
  }
  return allocation;
}

}  // namespace slaq::scheduler
