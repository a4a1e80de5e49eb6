// A program that is about to start. All that its new process needs is prepared before the fork, since only
// system calls are safe after it.
#pragma once

#include <vector>

#include "local/processes/process.h"
#include "local/system/files.h"

namespace slaq::local::processes {

// The number of the last file to close, where an old kernel has no call that closes all of them.
inline constexpr int kMostFiles = 4096;

class Launch {
 public:
  // Opens the log. `spec` and `cpuLimit` outlive this.
  static Result<Launch> prepare(const ProcessSpec& spec, const cpu::CpuLimit& cpuLimit);

  // Turns the calling process, which was forked for it, into the program. If that fails, it reports why and
  // ends.
  [[noreturn]] void become() const;

  // Waits in the preparing process until the new one has become the program. Invalid: the program can't be
  // executed, or the process can't become its user. Transient: the program has not begun within some seconds;
  // the caller kills the process.
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
  system::Descriptor told_;        // the end that reads why the new process failed,
  system::Descriptor complaints_;  // and the end that it writes to; closed when it becomes the program
};

}  // namespace slaq::local::processes
