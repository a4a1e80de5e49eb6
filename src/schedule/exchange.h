// The last step of a division by gains that do not fall evenly: units move from job to job as long as all
// together gain by it. Steps of one unit find nothing where an iteration, or a slope, takes several.
#pragma once

#include <functional>

#include "schedule/candidate.h"

namespace slaq {

// What candidate i gains with so many units in all.
using GainOf = std::function<double(std::size_t i, std::int32_t units)>;

// Moves up to kLargestMove units at a time between two jobs, or to one from those that are left, the best
// move first, until none helps or kMostMoves were made. Of many jobs only the kNearest take part to whom one
// unit more is worth most, and as many to whom the last one is worth least. Does nothing where units differ
// in size or a group is limited. REQUIRES: the allocation is within the candidates' bounds and leaves `left`.
void exchange(std::span<const Candidate> candidates, Cores left, const GainOf& gainOf,
              Allocation& allocation);

inline constexpr std::int32_t kLargestMove = 24;
inline constexpr std::size_t kNearest = 64;
inline constexpr int kMostMoves = 256;

}  // namespace slaq
