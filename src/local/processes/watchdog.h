// A process that outlives this one for a moment. In whatever way this one ends (SIGKILL too), the watchdog
// then kills every process group that is still on its list and removes the directories that were made for
// this run. Where the groups are to outlive this process, the watchdog continues those that this one has
// stopped instead. PR_SET_PDEATHSIG alone would spare the processes that a worker started.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "local/system/files.h"

namespace slaq::local::processes {

// The directories that the watchdog removes at the end.
struct WatchedDirectories {
  std::vector<std::filesystem::path> cgroups;  // with all processes in them
  std::vector<std::filesystem::path> files;    // with all files in them
};

class Watchdog {
 public:
  // The groups get `signal`: SIGKILL, or SIGCONT, which also means that only empty directories are removed.
  static Result<std::unique_ptr<Watchdog>> start(const WatchedDirectories& directories, int signal = SIGKILL);
  // Lets the watchdog clean up and waits for its end.
  ~Watchdog();
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // Puts a process group on the list. May be called between fork and exec.
  void watch(pid_t group) const;
  // Takes a process group off the list: its processes have ended, and its number may be used again.
  void forget(pid_t group) const;

 private:
  Watchdog(system::Descriptor line, pid_t process) : line_(std::move(line)), process_(process) {}

  system::Descriptor line_;
  pid_t process_;
};

}  // namespace slaq::local::processes
