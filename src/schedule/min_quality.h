// Maximize the minimum quality (section 4.3): nobody falls behind.
#pragma once

#include "schedule/candidate.h"

namespace slaq {

// Everybody has its minimum, then unit by unit to the job that will be worst after `horizon`: the one with
// the largest level. (The paper writes arg min of the loss; its text means the largest.) A job that one more
// unit would not help comes after all others. REQUIRES: the minimums fit.
Allocation minQuality(std::span<const Candidate> candidates, const Budget& budget, Seconds horizon);

// A change of level that is none.
inline constexpr double kSameLevel = 1e-6;

}  // namespace slaq
