// A process of its own that outlives this one for a moment: whatever way this one ends (SIGKILL too), the
// guard then kills every process group that is still on its list and removes the directories that were made
// for this run. PR_SET_PDEATHSIG alone would spare the processes that a worker started.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "base/result.h"
#include "local/files.h"

namespace slaq {

// What the guard removes at the end.
struct GuardedDirectories {
  std::vector<std::filesystem::path> cgroups;  // with all processes in them
  std::vector<std::filesystem::path> files;    // with all files in them
};

class Guard {
 public:
  static Result<std::unique_ptr<Guard>> start(const GuardedDirectories& directories);
  // Lets the guard do its work and waits for it.
  ~Guard();
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  // Puts a process group on the list. May be called between fork and exec.
  void watch(pid_t group) const;
  // Takes it off: its processes have ended and its number may be given to another.
  void forget(pid_t group) const;

 private:
  Guard(Descriptor line, pid_t process) : line_(std::move(line)), process_(process) {}

  Descriptor line_;
  pid_t process_;
};

}  // namespace slaq
