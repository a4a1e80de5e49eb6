#include "local/processes/machine.h"

#include <stdlib.h>

namespace slaq::local::processes {
namespace {

namespace fs = std::filesystem;

constexpr Cores kOneCore{1000};

}  // namespace

Cores limitOf(const PodTemplate& pod) {
  const Container& container = pod.containers.front();
  return container.limit.value_or(container.request.value_or(kOneCore));
}

Cores limitAt(const PodTemplate& pod, Cores cores) {
  const Cores requested = coresOf(pod);
  if (requested <= Cores()) return cores;
  return Cores(limitOf(pod).value() * cores.value() / requested.value());
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

Result<std::unique_ptr<Process>> Machine::start(const std::string& name, const PodTemplate& pod, Cores limit,
                                                const Variables& given) {
  const Container& container = pod.containers.front();
  auto spec = commandOf(container, given, path);
  if (!spec) return failure(std::move(spec).error());
  spec->log = logOf(name);
  auto cpuLimit = limiter->limit(name, limit);
  if (!cpuLimit) return failure(ErrorKind::Transient, cpuLimit.error().message);
  return Process::start(*spec, std::move(*cpuLimit), *watchdog);
}

}  // namespace slaq::local::processes
