// A program that is about to start: all that its new process needs, prepared before the fork, since after it
// only system calls are safe.
#pragma once

#include <vector>

#include "local/processes/process.h"
#include "local/system/files.h"

namespace slaq::local::processes {

// The number of the last file that is closed, where an old kernel has no call for all of them.
inline constexpr int kMostFiles = 4096;

class Launch {
 public:
  // Opens the log. `spec` and `cpuLimit` outlive this.
  static Result<Launch> prepare(const ProcessSpec& spec, const cpu::CpuLimit& cpuLimit);

  // Makes the calling process, which was forked for it, the program. Where that can't be, it tells and ends.
  [[noreturn]] void become() const;

  // The process that prepared this waits until the new one has become the program. Invalid: it can't be
  // executed, or its user not be taken on. Transient: it has not come so far within some seconds; the caller
  // kills it.
  Result<void> await();

 private:
  Launch(const ProcessSpec& spec, const cpu::CpuLimit& cpuLimit);
  enum class Step { LimitCpu, Owner, Directory, Execute };
  struct Refusal;

  [[noreturn]] void complain(Step step) const;
  bool takeOnOwner() const;
  Error errorOf(const Refusal& refusal) const;

  const ProcessSpec& spec_;
  const cpu::CpuLimit& cpuLimit_;
  std::vector<char*> arguments_;
  std::vector<char*> environment_;
  system::Descriptor log_;
  system::Descriptor nothing_;
  system::Descriptor told_;        // what the new process complains of,
  system::Descriptor complaints_;  // and where it does so; closed when it becomes the program
};

}  // namespace slaq::local::processes
