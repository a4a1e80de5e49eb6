// A process that never outlives this program, however this program ends.
#pragma once

#include <memory>

#include "local/processes/process.h"
#include "local/processes/watchdog.h"

namespace slaq::local::processes {

class ChildProcess final : public Process {
 public:
  // Starts the program. Invalid if it can't be executed. The process is killed when the calling thread
  // ends, so a thread that lives on must call this. REQUIRES: `watchdog` outlives the process.
  static Result<std::unique_ptr<Process>> start(const ProcessSpec& spec,
                                                std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                                const Watchdog& watchdog);
  ~ChildProcess() override;

  std::optional<Exit> poll() override;
  void terminate() override;
  void kill() override;

 private:
  ChildProcess(pid_t id, std::unique_ptr<cpu::CpuLimit> cpuLimit, const Watchdog& watchdog)
      : Process(id, std::move(cpuLimit)), watchdog_(watchdog) {}
  void reap(bool wait);

  const Watchdog& watchdog_;
  std::optional<Exit> exit_;
};

}  // namespace slaq::local::processes
