#include "local/processes/machine.h"

#include <stdlib.h>

#include "local/processes/child_process.h"
#include "local/processes/kept_process.h"

namespace slaq::local::processes {
namespace {

namespace fs = std::filesystem;

constexpr Cores kOneCore{1000};

}  // namespace

cpu::CpuResources resourcesOf(const PodTemplate& pod) {
  const Container& container = pod.containers.front();
  const Cores limit = container.limit.value_or(container.request.value_or(kOneCore));
  return {.request = container.request.value_or(limit), .limit = limit};
}

// As on a cluster (kube/pods/worker_cpu.h), but that a program without a limit has that of its request.
cpu::CpuResources resourcesAt(const WorkersSpec& workers, Cores cores, bool isStarting) {
  const cpu::CpuResources own = resourcesOf(workers.pod);
  const Cores requested = coresOf(workers.pod);
  const Cores moved =
      requested > Cores() ? Cores(own.limit.value() * cores.value() / requested.value()) : cores;
  if (workers.scaling == Scaling::Replicas) return {.request = cores, .limit = moved};
  const Cores ceiling = ceilingOf(workers, cores, isStarting);
  const bool isHard = workers.cpu.ceiling == CpuCeiling::Hard;
  return {.request = cores, .limit = std::max(ceiling, isHard ? moved : own.limit)};
}

Result<RunDirectory> RunDirectory::make(const std::optional<fs::path>& asked) {
  std::error_code error;
  if (asked) {
    fs::create_directories(*asked, error);
    if (error) {
      return failure(ErrorKind::Invalid,
                     "can't make the directory " + asked->string() + ": " + error.message());
    }
    return RunDirectory(fs::absolute(*asked), false);
  }
  std::string name = (fs::temp_directory_path(error) / "slaq-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return system::systemFailure(ErrorKind::Invalid, "make a directory " + name);
  return RunDirectory(name, true);
}

RunDirectory::RunDirectory(RunDirectory&& other) noexcept
    : path_(std::move(other.path_)), temporary_(std::exchange(other.temporary_, false)) {}

RunDirectory::~RunDirectory() {
  std::error_code ignored;
  if (temporary_) fs::remove_all(path_, ignored);
}

Result<std::unique_ptr<Process>> Machine::start(const std::string& name, const PodTemplate& pod,
                                                const cpu::CpuResources& resources, const Variables& given,
                                                const std::shared_ptr<const Owner>& owner) {
  auto spec = commandOf(pod.containers.front(), given, path, owner);
  if (!spec) return failure(std::move(spec).error());
  spec->log = logOf(name);
  auto cpuLimit = limiter->limit(name, resources);
  if (!cpuLimit) return failure(ErrorKind::Transient, cpuLimit.error().message);
  return watchdog ? ChildProcess::start(*spec, std::move(*cpuLimit), *watchdog)
                  : KeptProcess::start(*spec, std::move(*cpuLimit), recordOf(name));
}

std::unique_ptr<Process> Machine::adopt(const std::string& name, const cpu::CpuResources& resources,
                                        pid_t knownEnd) const {
  const auto record = recordOf(name);
  if (!fs::exists(record)) return nullptr;
  auto cpuLimit = limiter->limit(name, resources);
  if (!cpuLimit) return nullptr;
  auto process = KeptProcess::adopt(record, std::move(*cpuLimit));
  return process && process->id() == knownEnd && process->poll() ? nullptr : std::move(process);
}

std::set<std::string> Machine::records() const {
  std::set<std::string> records;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory.path(), ignored)) {
    if (entry.path().extension() == kRecord) records.insert(entry.path().stem().string());
  }
  return records;
}

void Machine::forget(const std::vector<std::string>& names) const {
  std::error_code ignored;
  for (const auto& name : names) fs::remove(recordOf(name), ignored);
}

}  // namespace slaq::local::processes
