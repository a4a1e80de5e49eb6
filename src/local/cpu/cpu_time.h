// The CPU time that processes have used.
#pragma once

#include <sys/types.h>

#include <map>
#include <vector>

#include "base/units.h"

namespace slaq::local::cpu {

// The process and all its descendants.
std::vector<pid_t> familyOf(pid_t process);

// The time of a set of processes that come and go: what one has used is kept when it has ended.
class CpuTime {
 public:
  // These belong to the set too, from now on.
  void add(const std::vector<pid_t>& processes);
  // What they have used since they began, as far as it was seen.
  Seconds now();

 private:
  std::map<pid_t, Seconds> used_;
  Seconds sum_{0};
};

}  // namespace slaq::local::cpu
