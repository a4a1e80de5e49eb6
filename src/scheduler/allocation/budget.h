// Cores that may be given out: those of the whole capacity, and those of each group of jobs with a limit of
// its own (the jobs of one namespace).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/units.h"

namespace slaq::scheduler {

// A group's place in Budget::groups; kNoGroup for a job that only the capacity limits.
using Group = std::int32_t;
inline constexpr Group kNoGroup = -1;

struct Budget {
  Cores all;
  std::vector<Cores> groups = {};

  Budget(Cores cores = {}) : all(cores) {}

  Cores leftFor(Group group) const {
    return group == kNoGroup ? all : std::min(all, groups[static_cast<std::size_t>(group)]);
  }
  bool fits(Cores cores, Group group) const { return cores <= leftFor(group); }
  // `cores` may exceed what is left. Nothing fits then until calls with negative `cores` give enough back.
  void take(Cores cores, Group group) {
    all -= cores;
    if (group != kNoGroup) groups[static_cast<std::size_t>(group)] -= cores;
  }
  // True if no more was taken than there was.
  bool covers() const {
    return all >= Cores() && std::ranges::all_of(groups, [](Cores left) { return left >= Cores(); });
  }
};

}  // namespace slaq::scheduler
