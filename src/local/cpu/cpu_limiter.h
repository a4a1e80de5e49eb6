// Holding processes to their CPU limit, as a container runtime would: the port, and the choice of a means
// that works on this machine.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/units.h"

namespace slaq::local::cpu {

// The hold on one process and all that it starts. In the order of its life: the new process writes "0" to
// entry() before its program begins; begin() with its id; limit() whenever its limit changes; release() once
// it has ended but its id is still taken; the destructor.
class CpuLimit {
 public:
  virtual ~CpuLimit() = default;
  virtual int entry() const { return -1; }  // a file descriptor, or -1 if there is nothing to write
  virtual void attach(pid_t process) = 0;
  // Another limit from now on, in place.
  virtual Result<void> change(Cores limit) = 0;
  virtual void release() = 0;
};

class CpuLimiter {
 public:
  virtual ~CpuLimiter() = default;
  // A hold for a process that is about to start. `name` is for people and file names.
  virtual Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, Cores cores) = 0;
  // By what means: "cgroup v2 at /sys/fs/cgroup/slaq-17".
  virtual std::string means() const = 0;
  // A directory of control groups that is empty and to be removed once every process is gone.
  virtual std::optional<std::filesystem::path> directory() const { return std::nullopt; }
};

}  // namespace slaq::local::cpu
