#include "local/cpu/cgroup_limiter.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <thread>

#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kPeriodMicros = 20'000;
constexpr std::int64_t kLongestPeriodMicros = 1'000'000;
constexpr std::int64_t kLeastQuotaMicros = 1'000;

Result<void> makeDirectory(const fs::path& directory) {
  if (::mkdir(directory.c_str(), 0755) == 0) return {};
  return system::systemFailure(ErrorKind::Forbidden, "make the control group " + directory.string());
}

Result<void> writeLimit(CgroupVersion version, const fs::path& group, Cores limit) {
  const auto [quota, period] = quotaFor(limit);
  const std::string quotaText = std::to_string(quota);
  const std::string periodText = std::to_string(period);
  if (version == CgroupVersion::Two)
    return system::writeFile(group / "cpu.max", quotaText + " " + periodText);
  // With the default period the quota may be below the kernel's minimum, so the period is written first.
  if (auto done = system::writeFile(group / "cpu.cfs_period_us", periodText); !done) return done;
  return system::writeFile(group / "cpu.cfs_quota_us", quotaText);
}

bool hasWord(const std::string& text, std::string_view word) {
  std::istringstream in(text);
  for (std::string each; in >> each;) {
    if (each == word) return true;
  }
  return false;
}

// Gives the cpu controller to the group's children (version 2 only).
Result<void> passOnCpu(const fs::path& group) {
  if (hasWord(system::readFile(group / "cgroup.subtree_control"), "cpu")) return {};
  return system::writeFile(group / "cgroup.subtree_control", "+cpu");
}

void killAllIn(const fs::path& group) {
  std::istringstream in(system::readFile(group / "cgroup.procs"));
  for (pid_t process = 0; in >> process;) {
    if (process > 0) ::kill(process, SIGKILL);  // 0 stands for a process of another pid namespace
  }
}

class CgroupLimit final : public CpuLimit {
 public:
  CgroupLimit(CgroupVersion version, fs::path group, system::Descriptor entry)
      : version_(version), group_(std::move(group)), entry_(std::move(entry)) {}
  ~CgroupLimit() override { removeCgroup(group_); }

  int entry() const override { return entry_.number(); }
  void attach(pid_t) override { entry_.close(); }
  Result<void> change(Cores limit) override { return writeLimit(version_, group_, limit); }
  void release() override { killAllIn(group_); }

 private:
  CgroupVersion version_;
  fs::path group_;
  system::Descriptor entry_;
};

// True if a new process can move itself into the group.
bool canEnter(int entry) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(::write(entry, "0", 1) == 1 ? 0 : 1);
  int status = 0;
  return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

CpuQuota quotaFor(Cores limit) {
  const std::int64_t millis = std::max<std::int64_t>(limit.value(), 1);
  const std::int64_t needed = kLeastQuotaMicros * 1000 / millis;
  const std::int64_t period = std::clamp(needed, kPeriodMicros, kLongestPeriodMicros);
  return {std::max(kLeastQuotaMicros, period * millis / 1000), period};
}

void removeCgroup(const fs::path& directory) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(directory, ignored)) {
    if (entry.is_directory(ignored)) removeCgroup(entry.path());
  }
  for (int tries = 0; tries < 100; ++tries) {
    killAllIn(directory);
    if (::rmdir(directory.c_str()) == 0 || errno != EBUSY) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Result<std::unique_ptr<CpuLimiter>> CgroupLimiter::make(const CgroupPlace& place) {
  const auto directory = place.parent / ("slaq-" + std::to_string(::getpid()));
  std::unique_ptr<CgroupLimiter> made(new CgroupLimiter(place.version, directory));
  removeCgroup(directory);  // left by a process of the same id
  if (auto done = made->open(place.parent); !done) return failure(done.error());
  if (auto done = made->tryOut(); !done) return failure(done.error());
  return std::unique_ptr<CpuLimiter>(std::move(made));
}

CgroupLimiter::~CgroupLimiter() { removeCgroup(directory_); }

Result<void> CgroupLimiter::open(const fs::path& parent) {
  if (version_ == CgroupVersion::One) return makeDirectory(directory_);
  if (!hasWord(system::readFile(parent / "cgroup.controllers"), "cpu")) {
    return failure(ErrorKind::Forbidden, parent.string() + " has no cpu controller");
  }
  if (auto done = passOnCpu(parent); !done) return done;
  if (auto done = makeDirectory(directory_); !done) return done;
  return passOnCpu(directory_);
}

Result<void> CgroupLimiter::tryOut() {
  const auto cpuLimit = limit("try", Cores(1000));
  if (!cpuLimit) return failure(cpuLimit.error());
  if (canEnter((*cpuLimit)->entry())) return {};
  return failure(ErrorKind::Forbidden, "no process can be moved into " + directory_.string());
}

Result<std::unique_ptr<CpuLimit>> CgroupLimiter::limit(const std::string& name, Cores cores) {
  const auto group = directory_ / (name + "." + std::to_string(++made_));
  if (auto done = makeDirectory(group); !done) return failure(done.error());
  if (auto done = writeLimit(version_, group, cores); !done) {
    removeCgroup(group);
    return failure(done.error());
  }
  system::Descriptor entry(::open((group / "cgroup.procs").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!entry.isOpen()) {
    removeCgroup(group);
    return system::systemFailure(ErrorKind::Forbidden, "open " + (group / "cgroup.procs").string());
  }
  return std::unique_ptr<CpuLimit>(std::make_unique<CgroupLimit>(version_, group, std::move(entry)));
}

std::string CgroupLimiter::means() const {
  return (version_ == CgroupVersion::One ? "cgroup v1 at " : "cgroup v2 at ") + directory_.string();
}

}  // namespace slaq::local::cpu
