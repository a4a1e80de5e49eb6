#include "local/processes/machine.h"

#include <stdlib.h>

#include <sstream>

#include "local/cpu/choose_limiter.h"
#include "local/processes/child_process.h"
#include "local/processes/kept_process.h"

namespace slaq::local::processes {
namespace {

namespace fs = std::filesystem;

constexpr Cores kOneCore{1000};

// The value of a variable in a running process' environment; empty if that can't be read.
std::string variableOf(pid_t process, const std::string& name) {
  std::istringstream in(system::readFile("/proc/" + std::to_string(process) + "/environ"));
  for (std::string each; std::getline(in, each, '\0');) {
    if (each.starts_with(name + "=")) return each.substr(name.size() + 1);
  }
  return "";
}

}  // namespace

cpu::CpuResources resourcesOf(const PodTemplate& pod) {
  const Container& container = pod.containers.front();
  return {.request = container.request.value_or(container.limit.value_or(kOneCore)),
          .limit = container.limit.value_or(cpu::usableCores())};
}

// As on a cluster (kube/pods/worker_cpu.h), except that a worker whose CPU changes always has a limit.
cpu::CpuResources resourcesAt(const WorkersSpec& workers, Cores cores, bool isStarting) {
  if (workers.scaling == Scaling::Replicas)
    return {.request = cores, .limit = resourcesOf(workers.pod).limit, .isStarting = isStarting};
  const Container& container = workers.pod.containers.front();
  const Cores own = container.limit.value_or(container.request.value_or(kOneCore));
  const Cores requested = coresOf(workers.pod);
  const Cores moved = requested > Cores() ? Cores(own.value() * cores.value() / requested.value()) : cores;
  const Cores ceiling = ceilingOf(workers, cores, isStarting);
  const bool isHard = workers.cpu.ceiling == CpuCeiling::Hard;
  return {.request = cores, .limit = std::max(ceiling, isHard ? moved : own), .isStarting = isStarting};
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
  Variables all = given;
  std::shared_ptr<system::Gpus::Lease> lease;
  if (gpus) {
    auto taken = gpus->take(static_cast<std::size_t>(coresOf(pod).value() / kOneCore.value()));
    if (!taken) return failure(taken.error());
    lease = std::move(*taken);
    all[system::kVisibleGpus] = lease->visible();
  }
  if (sharedGpu) all[system::kVisibleGpus] = *sharedGpu;
  if (gpus || sharedGpu) all[system::kGpuOrder] = system::kOrderOfNvidiaSmi;
  auto spec = commandOf(pod.containers.front(), all, path, owner);
  if (!spec) return failure(std::move(spec).error());
  spec->log = logOf(name);
  if (outlived) spec->logMode = 0600;  // other users of the machine must not read it
  auto cpuLimit = limiter->limit(name, cpuOf(resources));
  if (!cpuLimit) return failure(ErrorKind::Transient, cpuLimit.error().message);
  auto process = outlived ? KeptProcess::start(*spec, std::move(*cpuLimit), recordOf(name), *watchdog)
                          : ChildProcess::start(*spec, std::move(*cpuLimit), *watchdog);
  if (process) (*process)->hold(std::move(lease));
  return process;
}

JobKey jobOfLog(const std::filesystem::path& log) {
  const std::string name = log.filename().string();
  const auto first = name.find('.');
  if (first == std::string::npos) return {};
  return {name.substr(0, first), name.substr(first + 1, name.find('.', first + 1) - first - 1)};
}

cpu::CpuResources Machine::cpuOf(const cpu::CpuResources& resources) const {
  return gpus ? cpu::CpuResources{.request = kOneCore, .limit = cpu::usableCores()} : resources;
}

std::unique_ptr<Process> Machine::adopt(const std::string& name, const cpu::CpuResources& resources,
                                        pid_t knownEnd) const {
  const auto record = recordOf(name);
  if (!fs::exists(record)) return nullptr;
  auto cpuLimit = limiter->limit(name, cpuOf(resources));
  if (!cpuLimit) return nullptr;
  auto process = KeptProcess::adopt(record, std::move(*cpuLimit), *watchdog);
  if (!process || (process->id() == knownEnd && process->poll())) return nullptr;
  if (gpus) process->hold(gpus->claim(variableOf(process->id(), system::kVisibleGpus)));
  return process;
}

std::set<std::string> Machine::records() const {
  std::set<std::string> records;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory.path(), ignored)) {
    if (entry.path().extension() == kRecord) records.insert(entry.path().stem().string());
  }
  return records;
}

void Machine::removeLogs(const std::string& prefix) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory.path(), ignored)) {
    const bool isLog = entry.path().extension() == ".log";
    if (isLog && entry.path().filename().string().starts_with(prefix)) fs::remove(entry.path(), ignored);
  }
}

void Machine::forget(const std::vector<std::string>& names) const {
  std::error_code ignored;
  for (const auto& name : names) fs::remove(recordOf(name), ignored);
}

}  // namespace slaq::local::processes
