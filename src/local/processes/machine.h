// The parts that the processes of all jobs share: the search path for programs, the directory for output, the
// CPU limiter and the watchdog.
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

// The directory for the processes' output, removed at the end unless the caller asked for it.
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

// The CPU resources of the pod's process, from its container. Without a request, its limit counts as request,
// or else one core. Without a limit it may use all cores, as on a cluster.
cpu::CpuResources resourcesOf(const PodTemplate& pod);
// The resources of a worker that is given `cores` instead of its template's request. Its limit follows its
// ceiling, so that it can use cores that others leave idle.
cpu::CpuResources resourcesAt(const WorkersSpec& workers, Cores cores, bool isStarting);

// The job whose process wrote this log: "default.train.worker-0.log" is of default/train. Without a name
// where the file's name has another form.
JobKey jobOfLog(const std::filesystem::path& log);

struct Machine {
  static constexpr const char* kRecord = ".process";  // how the names of records end

  RunDirectory directory;
  std::unique_ptr<cpu::CpuLimiter> limiter;
  std::unique_ptr<Watchdog> watchdog;
  bool outlived = false;                    // processes go on after this program
  std::vector<std::filesystem::path> path;  // the directories that are searched for programs
  std::shared_ptr<system::Gpus> gpus;       // null: capacity is counted in cores, else in these GPUs
  std::optional<std::string> sharedGpu;     // used by all processes
  Seconds grace{5};

  // The CPU resources of a process with these resources: all CPUs, where capacity is counted in GPUs.
  cpu::CpuResources cpuOf(const cpu::CpuResources& resources) const;

  // Starts the first container of a pod with these resources, and with the number of GPUs that it requests.
  // `name` names its log and its control group. Transient if fewer GPUs are free.
  Result<std::unique_ptr<Process>> start(const std::string& name, const PodTemplate& pod,
                                         const cpu::CpuResources& resources, const Variables& given,
                                         const std::shared_ptr<const Owner>& owner = {});
  // The process of that name that an earlier program left, running or ended. Null if there is none, or if it
  // is the one whose end is known already. REQUIRES: processes outlive this program.
  std::unique_ptr<Process> adopt(const std::string& name, const cpu::CpuResources& resources,
                                 pid_t knownEnd) const;
  // The names of the processes that have records.
  std::set<std::string> records() const;
  // Removes the output of processes whose names begin with `prefix`.
  void removeLogs(const std::string& prefix) const;
  // Removes the records of processes that have ended.
  void forget(const std::vector<std::string>& names) const;
  std::filesystem::path recordOf(const std::string& name) const {
    return directory.path() / (name + kRecord);
  }
  std::filesystem::path logOf(const std::string& name) const { return directory.path() / (name + ".log"); }
};

}  // namespace slaq::local::processes
