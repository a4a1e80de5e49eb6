// What the processes of all jobs share: the search path for programs, the directory for output, the CPU
// limiter and the watchdog.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "job/job.h"
#include "local/cpu/cpu_limiter.h"
#include "local/processes/command.h"
#include "local/processes/process.h"
#include "local/processes/watchdog.h"
#include "local/system/gpus.h"

namespace slaq::local::processes {

// The directory for the processes' output, removed at the end unless it was asked for.
class RunDirectory {
 public:
  // The directory `asked`, which is created if needed and stays; without it a new temporary directory.
  static Result<RunDirectory> make(const std::optional<std::filesystem::path>& asked);
  RunDirectory(RunDirectory&& other) noexcept;
  RunDirectory& operator=(RunDirectory&&) = delete;
  ~RunDirectory();

  const std::filesystem::path& path() const { return path_; }
  bool temporary() const { return temporary_; }

 private:
  RunDirectory(std::filesystem::path path, bool temporary) : path_(std::move(path)), temporary_(temporary) {}

  std::filesystem::path path_;
  bool temporary_;
};

// What the pod's process has of the CPU: what its container says; a limit alone is the request too, and a
// request alone the limit, and with neither it is one core.
cpu::CpuResources resourcesOf(const PodTemplate& pod);
// The same for a worker that is given `cores` instead of its template's request, with the limit of its
// ceiling: what another leaves idle is not wasted.
cpu::CpuResources resourcesAt(const WorkersSpec& workers, Cores cores, bool isStarting);

struct Machine {
  static constexpr const char* kRecord = ".process";  // how the names of records end

  RunDirectory directory;
  std::unique_ptr<cpu::CpuLimiter> limiter;
  std::unique_ptr<Watchdog> watchdog;
  bool outlived = false;                    // processes go on after this program
  std::vector<std::filesystem::path> path;  // where programs are found
  std::shared_ptr<system::Gpus> gpus;       // null: capacity is counted in cores, else in these
  std::optional<std::string> sharedGpu;     // that all processes use
  Seconds grace{5};

  // The part of the CPU of a process with these resources: all that it can use, where they are GPUs.
  cpu::CpuResources cpuOf(const cpu::CpuResources& resources) const;

  // Starts the first container of a pod with these resources, and with as many GPUs as it requests. `name`
  // names its log and its control group. Transient if fewer GPUs are free.
  Result<std::unique_ptr<Process>> start(const std::string& name, const PodTemplate& pod,
                                         const cpu::CpuResources& resources, const Variables& given,
                                         const std::shared_ptr<const Owner>& owner = {});
  // The process of that name which an earlier program has left, running or ended; nothing if there is none,
  // or it is the one whose end is known. REQUIRES: processes outlive this program.
  std::unique_ptr<Process> adopt(const std::string& name, const cpu::CpuResources& resources,
                                 pid_t knownEnd) const;
  // The names of processes of which there are records.
  std::set<std::string> records() const;
  // Removes what processes whose names begin so have written.
  void removeLogs(const std::string& prefix) const;
  // Removes the records of processes that are over.
  void forget(const std::vector<std::string>& names) const;
  std::filesystem::path recordOf(const std::string& name) const {
    return directory.path() / (name + kRecord);
  }
  std::filesystem::path logOf(const std::string& name) const { return directory.path() / (name + ".log"); }
};

}  // namespace slaq::local::processes
