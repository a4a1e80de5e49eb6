// The port that divides the CPU among processes, as a container runtime does.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"

namespace slaq::local::cpu {

// The part of the CPU that a process and all that it starts have, in the terms of a pod's resources.
struct CpuResources {
  Cores request;  // its weight against other processes when together they want more CPU than there is
  Cores limit;    // the most that it gets, however much is idle
  bool isStarting = false;  // its program has not come to its first iteration yet

  bool operator==(const CpuResources&) const = default;
};

// The resources of one process and all that it starts. The order of calls: the new process writes "0" to
// entry() before its program begins; attach() gets its id; change() sets other resources; release() is called
// once the process has ended but is not reaped yet; then the destructor. For a process that an earlier
// program started, adopt() replaces the first two calls.
class CpuLimit {
 public:
  virtual ~CpuLimit() = default;
  virtual int entry() const { return -1; }  // a file descriptor, or -1 if there is nothing to write
  // The CPUs that the process may run on; null: all that this one may.
  virtual const cpu_set_t* cpus() const { return nullptr; }
  virtual void attach(pid_t process) = 0;
  // Takes over a running process, with all that it has started, from its earlier limit, and moves them to
  // cpus().
  virtual void adopt(pid_t process) = 0;
  // Sets other resources while the process runs.
  virtual Result<void> change(const CpuResources& resources) = 0;
  // The CPU time that the process and all that it starts have used.
  virtual Seconds used() = 0;
  virtual void release() = 0;
};

class CpuLimiter {
 public:
  virtual ~CpuLimiter() = default;
  // For a process that is about to start. `name` appears in file names and messages.
  virtual Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, const CpuResources& resources) = 0;
  // Names the mechanism for people: "cgroup v2 at /sys/fs/cgroup/slaq-17".
  virtual std::string means() const = 0;
  // The directories of control groups that must be removed once every process is gone.
  virtual std::vector<std::filesystem::path> directories() const { return {}; }
};

}  // namespace slaq::local::cpu
