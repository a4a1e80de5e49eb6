// The port that keeps processes to their CPU limits, as a container runtime does.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace slaq::local::cpu {

// The limit of one process and all that it starts. The order of calls: the new process writes "0" to entry()
// before its program begins; attach() gets its id; change() sets another limit; release() is called once the
// process has ended but is not reaped yet; then the destructor.
class CpuLimit {
 public:
  virtual ~CpuLimit() = default;
  virtual int entry() const { return -1; }  // a file descriptor, or -1 if there is nothing to write
  virtual void attach(pid_t process) = 0;
  // Sets another limit while the process runs.
  virtual Result<void> change(Cores limit) = 0;
  virtual void release() = 0;
};

class CpuLimiter {
 public:
  virtual ~CpuLimiter() = default;
  // The limit for a process that is about to start. `name` appears in file names and messages.
  virtual Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, Cores cores) = 0;
  // The mechanism for people: "cgroup v2 at /sys/fs/cgroup/slaq-17".
  virtual std::string means() const = 0;
  // The directory of control groups that must be removed once every process is gone.
  virtual std::optional<std::filesystem::path> directory() const { return std::nullopt; }
};

}  // namespace slaq::local::cpu
