// The loop that the policies share: it gives one unit at a time to the job that comes first.
#pragma once

#include <algorithm>
#include <limits>
#include <tuple>
#include <vector>

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

// A demand of this priority gets no more units.
inline constexpr double kNoPriority = -std::numeric_limits<double>::infinity();

// A job that may get one more unit. The largest candidate comes first.
struct Candidate {
  double priority;
  bool holdsIt;  // whether the job has that unit already
  std::uint32_t index;

  bool operator<(const Candidate& other) const {
    return std::tie(priority, holdsIt, other.index) < std::tie(other.priority, other.holdsIt, index);
  }
};

// Each job gets its minimum. Then, again and again, the job with the largest priority(demand, units) gets one
// more unit, or enough units for its next allowed size, until nothing fits. A job drops out at its maximum,
// or when its next size no longer fits. Among equal priorities the unit goes to a job that holds it already,
// so that no core moves between equals (a policy that wants the order alone sets Demand::held to 0 in a
// copy). If no job holds it, the first job in order gets it. O((jobs + units) log jobs) steps, with one call
// of `priority` for each job and unit. REQUIRES: the minimums fit into `budget`.
template <class Priority>
Allocation giveUnitByUnit(std::span<const Demand> demands, const Budget& budget, Priority priority) {
  Allocation allocation(demands.size());
  std::vector<Candidate> heap;
  heap.reserve(demands.size());
  Budget left = leftByMinimums(demands, budget);
  for (std::uint32_t i = 0; i < demands.size(); ++i) {
    allocation[i] = demands[i].min;
    if (allocation[i] < demands[i].max)
      heap.push_back({priority(demands[i], allocation[i]), demands[i].held > allocation[i], i});
  }
  std::make_heap(heap.begin(), heap.end());
  while (!heap.empty() && left.all > Cores()) {
    std::pop_heap(heap.begin(), heap.end());
    Candidate& entry = heap.back();
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
      entry.holdsIt = demand.held > units;
      std::push_heap(heap.begin(), heap.end());
    } else {
      heap.pop_back();
    }
  }
  return allocation;
}

}  // namespace slaq::scheduler
