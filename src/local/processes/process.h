// One process with all that it starts: a process group with its share of the CPU.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/units.h"
#include "local/cpu/cpu_limiter.h"

namespace slaq::local::processes {

// The user as whom a program runs.
struct Owner {
  uid_t user = 0;
  gid_t group = 0;
  std::string name;                // for $USER, and for finding the user's other groups
  std::string home;                // for $HOME
  std::vector<gid_t> groups = {};  // all groups of the user

  bool operator==(const Owner&) const = default;
};

struct ProcessSpec {
  std::string program;                      // a path
  std::vector<std::string> arguments;       // argv, the program's name first
  std::vector<std::string> environment;     // "NAME=value", all of it
  std::string workingDirectory;             // empty: this process' own
  std::filesystem::path log;                // its output is appended here
  mode_t logMode = 0644;                    // if the log is a new file
  std::shared_ptr<const Owner> owner = {};  // null: the user of this process
};

// How a process ended.
struct Exit {
  int code = 0;
  int signal = 0;  // not 0: it was ended by this signal

  bool succeeded() const { return code == 0 && signal == 0; }
  // True if the command never ran: POSIX shells and slaq-report exit with 126 if it can't be executed, and
  // with 127 if it was not found.
  bool isOfNoCommand() const { return signal == 0 && (code == 126 || code == 127); }
  bool operator==(const Exit&) const = default;
};

// "exit code 3", "signal 9 (Killed)".
std::string toString(const Exit& exit);
// The end that waitid(2) reported.
Exit exitOf(const siginfo_t& end);

// One thread calls it.
class Process {
 public:
  // Kills the group and waits for the process.
  virtual ~Process() = default;
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t id() const { return id_; }
  // How the process ended, if it has. Then the rest of its group is killed. Doesn't wait.
  virtual std::optional<Exit> poll() = 0;
  // Asks the process to end, and only it, as a container runtime would.
  virtual void terminate() = 0;
  // Kills the whole group.
  virtual void kill() = 0;
  // Changes the process' CPU resources.
  Result<void> change(const cpu::CpuResources& resources) {
    return cpuLimit_ ? cpuLimit_->change(resources) : Result<void>();
  }
  // Keeps an object for the process until it has ended.
  void hold(std::shared_ptr<void> held) { held_ = std::move(held); }
  // The CPU time that it and all that it started have used.
  Seconds cpuUsed() const { return cpuLimit_ ? cpuLimit_->used() : cpuUsed_; }

 protected:
  Process(pid_t id, std::unique_ptr<cpu::CpuLimit> cpuLimit) : id_(id), cpuLimit_(std::move(cpuLimit)) {}
  void attachCpu() { cpuLimit_->attach(id_); }
  void adoptCpu() { cpuLimit_->adopt(id_); }
  // Called once the process has ended, and before another process can get its number;
  void releaseCpu() { cpuLimit_->release(); }
  // called once nothing is left of the process.
  void forgetCpu() {
    cpuUsed_ = cpuLimit_->used();
    cpuLimit_.reset();
    held_.reset();
  }

 private:
  pid_t id_;
  std::unique_ptr<cpu::CpuLimit> cpuLimit_;  // until it has ended
  Seconds cpuUsed_{0};                       // from then on
  std::shared_ptr<void> held_;
};

}  // namespace slaq::local::processes
