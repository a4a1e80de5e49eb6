// The CPU time that processes have used, and waited for.
#pragma once

#include <sys/types.h>

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/units.h"

namespace slaq::local::cpu {

// The process and all its descendants.
std::vector<pid_t> familyOf(pid_t process);
// Their process groups, without the group of this process. A program such as timeout or torchrun gives its
// children a group of their own.
std::set<pid_t> groupsOf(const std::vector<pid_t>& family);
// Sends a signal to the leader's group and to these of its descendants. The leader is stopped first and
// continued last: a shell that ran on meanwhile would find that its children were stopped.
void signalGroups(pid_t leader, const std::set<pid_t>& groups, int signal);
// The same with all groups of its descendants.
void signalFamily(pid_t leader, int signal);
// True if it has a child, and also where the kernel does not list children.
bool hasChild(pid_t process);

// The CPU time of a set of processes that come and go: the time of a process still counts when it has ended.
class CpuTime {
 public:
  // Adds processes to the set.
  void add(const std::vector<pid_t>& processes);
  // The CPU time that they have used since they began, as far as it was seen.
  Seconds now();
  // The time that their threads were ready to run but waited for a CPU, as far as it was seen. It is 0 where
  // the kernel does not count it (/proc/PID/schedstat).
  Seconds waited();

 private:
  struct Seen {
    Seconds used{0};
    Seconds waited{0};
  };
  std::map<pid_t, Seen> seen_;
  Seconds used_{0};
  Seconds waited_{0};
};

}  // namespace slaq::local::cpu
