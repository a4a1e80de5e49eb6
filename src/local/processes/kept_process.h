// A process that outlives this program, and that the next program adopts. Its parent is a keeper: a process
// that waits for it and writes into its record how it ended. The keeper holds a lock on the record as long as
// it lives. So if a record has no lock and no end, its keeper was killed or the machine went down, and its
// program has ended too.
#pragma once

#include <memory>

#include "local/processes/process.h"
#include "local/processes/watchdog.h"
#include "local/system/files.h"

namespace slaq::local::processes {

class KeptProcess final : public Process {
 public:
  // Starts the program, with a record in the file of this name. `watchdog`, which outlives the process, lets
  // it go on if this program ends while it is stopped. Invalid if it can't be executed, Transient if the
  // record can't be written or another keeper holds it.
  static Result<std::unique_ptr<Process>> start(const ProcessSpec& spec,
                                                std::unique_ptr<cpu::CpuLimit> cpuLimit,
                                                const std::filesystem::path& record,
                                                const Watchdog& watchdog);
  // The process of a record that this program or an earlier one made; null if there is none. It may have
  // ended: poll() tells how. If it runs, it is moved into `cpuLimit`.
  static std::unique_ptr<Process> adopt(const std::filesystem::path& record,
                                        std::unique_ptr<cpu::CpuLimit> cpuLimit, const Watchdog& watchdog);
  ~KeptProcess() override;

  std::optional<Exit> poll() override;
  void terminate() override;
  void kill() override;

 private:
  KeptProcess(pid_t id, std::unique_ptr<cpu::CpuLimit> cpuLimit, system::Descriptor record, pid_t keeper,
              const Watchdog& watchdog)
      : Process(id, std::move(cpuLimit)), record_(std::move(record)), keeper_(keeper), watchdog_(watchdog) {}
  bool isKept() const;

  system::Descriptor record_;  // without a lock
  pid_t keeper_;               // a child of this process, or 0
  const Watchdog& watchdog_;
  std::optional<Exit> exit_;
};

}  // namespace slaq::local::processes
