// The admitted jobs as they go into the division of cores: each with the sizes it may have this time and,
// where it has one, its forecast.
#pragma once

#include "schedule/candidate.h"
#include "schedule/terms.h"

namespace slaq {

// Columns of the same length, in the order of admission.
struct Contest {
  std::vector<std::size_t> jobs = {};  // index into the snapshot
  std::vector<Candidate> candidates = {};
  std::vector<Sizes> sizes = {};
  Allocation held = {};  // in units; 0 for those that do not run
  std::vector<Standing> standings = {};
  // Changed so lately that its last change has yet to pay: it is not to be reversed for small gains. No bits:
  // each element is one thread's to write.
  std::vector<char> grewLately = {};
  std::vector<char> shrankLately = {};
  std::vector<char> doubted = {};  // its forecast is not trusted with more than its bounds say
  Budget budget = Cores();         // without the drivers
  Seconds calm = {};               // since any of them was last told to change
};

// With each job's candidacy (schedule/candidacy.h). The same with any number of threads, which share this
// where jobs are many. REQUIRES: the minimums of the admitted jobs fit, if need be with their pins waived. A
// contest that is over gives its memory.
Contest contestOf(const Terms& terms, const std::vector<std::size_t>& admitted,
                  const std::vector<JobPlan>& plans, Contest over = {});

}  // namespace slaq
