// One process with all that it starts: a process group with its part of the CPU that never outlives its
// owner.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "local/cpu/cpu_limiter.h"
#include "local/processes/watchdog.h"

namespace slaq::local::processes {

struct ProcessSpec {
  std::string program;                   // a path
  std::vector<std::string> arguments;    // argv, the program's name first
  std::vector<std::string> environment;  // "NAME=value", all of it
  std::string workingDirectory;          // empty: this process' own
  std::filesystem::path log;             // its output is appended here
};

// How a process ended.
struct Exit {
  int code = 0;
  int signal = 0;  // not 0: it was ended by this signal

  bool succeeded() const { return code == 0 && signal == 0; }
  bool operator==(const Exit&) const = default;
};

// "exit code 3", "signal 9 (Killed)".
std::string toString(const Exit& exit);

class Process {
 public:
  // Starts the program. Invalid if it can't be executed. The process is killed when the calling thread
  // ends, so a thread that lives on must call this. REQUIRES: `watchdog` outlives the process.
  static Result<std::unique_ptr<Process>> start(const ProcessSpec& spec,
                                                std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                                const Watchdog& watchdog);
  // Kills the group and waits for the process.
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  // How the process ended, if it has. Then the rest of its group is killed. Doesn't wait.
  std::optional<Exit> poll();
  // Asks the process to end, and only it, as a container runtime would.
  void terminate() const;
  // Changes what it has of the CPU.
  Result<void> change(const cpu::CpuResources& resources);
  // The CPU time that it and all that it started have used.
  Seconds cpuUsed() const { return cpuLimit_ ? cpuLimit_->used() : cpuUsed_; }
  // Kills the whole group.
  void kill() const;

 private:
  Process(pid_t id, std::unique_ptr<cpu::CpuLimit> cpuLimit, const Watchdog& watchdog)
      : id_(id), cpuLimit_(std::move(cpuLimit)), watchdog_(watchdog) {}
  void reap(bool wait);

  pid_t id_;
  std::unique_ptr<cpu::CpuLimit> cpuLimit_;  // until it has ended
  Seconds cpuUsed_{0};                       // then
  const Watchdog& watchdog_;
  std::optional<Exit> exit_;
};

}  // namespace slaq::local::processes
