// The last step of an allocation by price: units move between the few jobs near the price as long as the sum
// of utilities rises. A price gives each job a whole step of its concave envelope or nothing of it. This
// search finds the sizes that fit between two steps.
#pragma once

#include <functional>

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

// The utility of demand i with `units` units in all, within its bounds; -infinity for a size that is barred.
using UtilityOf = std::function<double(std::size_t i, std::int32_t units)>;

// Moves up to kLargestMove units at a time from one job to another, or from the unused cores to one job. The
// best move comes first. The search ends when no move raises the sum of utilities by more than rounding, or
// after kMostMoves moves. Only the demands at `places` take part. Units may differ in cores, and demands may
// be of limited groups. REQUIRES: the allocation is within the demands' bounds and within `budget`; the
// demands outlive the call.
void searchLocally(std::span<const Demand> demands, const Budget& budget, const UtilityOf& utilityOf,
                   std::vector<std::size_t> places, Allocation& allocation);

inline constexpr std::int32_t kLargestMove = 24;
inline constexpr int kMostMoves = 256;

}  // namespace slaq::scheduler
