// Decisions explain themselves: one short line for each job, with the figures that decided.
#pragma once

#include "schedule/contest.h"

namespace slaq {

// What the forecast jobs had to be worth.
struct Market {
  std::optional<double> price;       // the gain per core at which the last core goes, were resizes free
  std::optional<double> worstLevel;  // the worst job's level at the end of the look-ahead (MinQuality)
  Budget left{Cores()};              // nobody has it
  bool rests = false;                // cores moved a moment ago: not yet again (LookAhead)
  bool reverses = false;             // late changes bind nobody
};

struct Grounds {
  const Terms& terms;
  const Contest& contest;
  const Market& market;
};

// Why job `n` of the contest gets `units`: "keeps 4: the gain of a fifth, 0.0021, is under the price 0.0043".
// Held and target of the plan are filled in.
std::string reasonOf(const Grounds& grounds, std::size_t n, std::int32_t units, const JobPlan& plan);

}  // namespace slaq
