#include "local/cpu/cgroup_limiter.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <sstream>
#include <thread>
#include <utility>

#include "local/cpu/cgroup_removal.h"
#include "local/cpu/cpu_time.h"
#include "local/system/files.h"
#include "local/system/reserved_names.h"

namespace slaq::local::cpu {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTries = 100;
constexpr std::int64_t kPeriodMicros = 20'000;
constexpr std::int64_t kDefaultPeriodMicros = 100'000;
constexpr std::int64_t kLongestPeriodMicros = 1'000'000;
constexpr std::int64_t kLeastQuotaMicros = 1'000;

Result<void> makeDirectory(const fs::path& directory) {
  if (::mkdir(directory.c_str(), 0755) == 0) return {};
  return system::systemFailure(ErrorKind::Forbidden, "make the control group " + directory.string());
}

Result<void> writeQuota(CgroupVersion version, const fs::path& group, const CpuQuota& limit) {
  const auto [quota, period] = limit;
  const std::string quotaText = std::to_string(quota);
  const std::string periodText = std::to_string(period);
  if (version == CgroupVersion::Two)
    return system::writeFile(group / "cpu.max", quotaText + " " + periodText);
  // With the default period the quota may be below the kernel's minimum, so the period is written first.
  if (auto done = system::writeFile(group / "cpu.cfs_period_us", periodText); !done) return done;
  return system::writeFile(group / "cpu.cfs_quota_us", quotaText);
}

Result<void> writeWeight(CgroupVersion version, const fs::path& group, Cores request) {
  return system::writeFile(group / (version == CgroupVersion::Two ? "cpu.weight" : "cpu.shares"),
                           std::to_string(weightFor(version, request)));
}

// A group may not have a larger quota than its parent.
Result<void> writeResources(CgroupVersion version, const fs::path& group, const CpuResources& resources,
                            Cores all) {
  if (auto done = writeWeight(version, group, resources.request); !done) return done;
  return writeQuota(version, group, quotaFor(std::min(resources.limit, all)));
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

// Makes `parent` give the cpu controller to its children (version 2 only).
Result<void> giveCpuController(const fs::path& parent) {
  if (hasWord(system::readFile(parent / "cgroup.controllers"), "cpu")) return passOnCpu(parent);
  return failure(ErrorKind::Forbidden, parent.string() + " has no cpu controller");
}

// The CPU time that the kernel has counted; version 1 counts it only where its controller cpuacct is mounted
// with cpu.
std::optional<Seconds> usageIn(CgroupVersion version, const fs::path& group) {
  if (version == CgroupVersion::One) {
    std::istringstream in(system::readFile(group / "cpuacct.usage"));
    double nanoseconds = 0;
    return in >> nanoseconds ? std::optional(Seconds(nanoseconds / 1e9)) : std::nullopt;
  }
  std::istringstream in(system::readFile(group / "cpu.stat"));
  std::string word;
  double microseconds = 0;
  while (in >> word >> microseconds) {
    if (word == "usage_usec") return Seconds(microseconds / 1e6);
  }
  return std::nullopt;
}

// The group that a process is in.
fs::path groupOf(CgroupVersion version, pid_t process) {
  const auto places = cgroupPlaces(system::readFile("/proc/self/mountinfo"),
                                   system::readFile("/proc/" + std::to_string(process) + "/cgroup"));
  const auto found = std::ranges::find(places, version, &CgroupPlace::version);
  return found == places.end() ? fs::path() : found->parent;
}

// "slaq-4711-1f3a9c": a process id alone could be used again while programs of an earlier slaq with it run.
std::string newName() {
  char text[64];
  std::snprintf(text, sizeof text, "%s%d-%06x", kNameOfAll, static_cast<int>(::getpid()),
                std::random_device()() & 0xffffff);
  return text;
}

bool isOurs(const fs::path& group) { return ownerOf(group.parent_path()) > 0; }

// The processes left in `group` among a process and all that it has started. A group made by slaq contains no
// other processes.
std::vector<pid_t> familyIn(const fs::path& group, pid_t process) {
  const auto there = processesIn(group);
  if (isOurs(group)) return there;
  std::vector<pid_t> family = familyOf(process);
  std::erase_if(family, [&](pid_t each) { return std::ranges::find(there, each) == there.end(); });
  return family;
}

// Lets all threads of a process run on these CPUs, except for threads that have chosen some of them.
void runOn(const cpu_set_t& cpus, pid_t process) {
  const fs::path tasks = "/proc/" + std::to_string(process) + "/task";
  std::set<pid_t> known;
  std::error_code ignored;
  // A thread may start another before its own turn comes.
  for (bool anyNew = true; std::exchange(anyNew, false);) {
    for (const auto& task : fs::directory_iterator(tasks, ignored)) {
      const pid_t thread = std::atoi(task.path().filename().c_str());
      if (!known.insert(thread).second) continue;
      anyNew = true;
      cpu_set_t now, both;
      const bool isKnown = ::sched_getaffinity(thread, sizeof now, &now) == 0;
      CPU_AND(&both, &now, &cpus);
      if (!isKnown || !CPU_EQUAL(&both, &now)) ::sched_setaffinity(thread, sizeof cpus, &cpus);
    }
  }
}

class CgroupLimit final : public CpuLimit {
 public:
  CgroupLimit(CgroupVersion version, fs::path group, Cores all, const std::optional<cpu_set_t>& cpus,
              system::Descriptor entry)
      : version_(version), group_(std::move(group)), all_(all), cpus_(cpus), entry_(std::move(entry)) {}
  ~CgroupLimit() override { removeCgroup(group_); }

  int entry() const override { return entry_.number(); }
  const cpu_set_t* cpus() const override { return cpus_ ? &*cpus_ : nullptr; }
  void attach(pid_t) override { entry_.close(); }
  void adopt(pid_t process) override {
    const fs::path before = groupOf(version_, process);
    // A process that is started meanwhile is in the earlier group.
    for (int tries = 0; tries < kMostTries; ++tries) {
      const auto left = familyIn(before, process);
      if (left.empty()) break;
      for (const pid_t each : left) {
        const std::string text = std::to_string(each);
        (void)!::write(entry_.number(), text.data(), text.size());
        if (cpus_) runOn(*cpus_, each);
      }
    }
    const bool isEmpty = isOurs(before) && ::rmdir(before.c_str()) == 0;
    // The parent group of an earlier slaq is removed with its last process.
    if (isEmpty && ownerOf(before.parent_path()) != ::getpid()) ::rmdir(before.parent_path().c_str());
    attach(process);
  }
  Result<void> change(const CpuResources& resources) override {
    return writeResources(version_, group_, resources, all_);
  }
  Seconds used() override {
    if (const auto counted = usageIn(version_, group_)) return *counted;
    time_.add(processesIn(group_));
    return time_.now();
  }
  void release() override {
    used();
    killAllIn(group_);
  }

 private:
  CgroupVersion version_;
  fs::path group_;
  Cores all_;
  std::optional<cpu_set_t> cpus_;
  system::Descriptor entry_;
  CpuTime time_;  // used where the group does not count it
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

CpuQuota quotaOfAll(Cores limit) {
  return {std::max(kLeastQuotaMicros, kDefaultPeriodMicros * limit.value() / 1000), kDefaultPeriodMicros};
}

std::int64_t weightFor(CgroupVersion version, Cores request) {
  if (version == CgroupVersion::Two) return std::clamp<std::int64_t>(request.value() / 10, 1, 10'000);
  return std::clamp<std::int64_t>(request.value() * 1024 / 1000, 2, 262'144);
}

std::optional<cpu_set_t> cpusFor(Cores cores, const cpu_set_t& available, int first,
                                 const std::function<bool(int cpu)>& take) {
  const int count = static_cast<int>((cores.value() + 999) / 1000);
  if (count >= CPU_COUNT(&available)) return std::nullopt;
  std::vector<int> all;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &available)) all.push_back(cpu);
  }
  cpu_set_t chosen;
  CPU_ZERO(&chosen);
  std::ranges::rotate(all, all.begin() + first % static_cast<int>(all.size()));
  for (std::size_t i = 0; i < all.size() && CPU_COUNT(&chosen) < count; ++i) {
    if (take(all[i])) CPU_SET(all[i], &chosen);
  }
  for (std::size_t i = 0; i < all.size() && CPU_COUNT(&chosen) < count; ++i) CPU_SET(all[i], &chosen);
  return chosen;
}

Result<std::unique_ptr<CpuLimiter>> CgroupLimiter::make(const CgroupPlace& place, Cores all,
                                                        std::optional<int> first) {
  sweepCgroups(place.parent);
  const auto directory = place.parent / newName();
  std::unique_ptr<CgroupLimiter> made(new CgroupLimiter(place.version, directory, all, first));
  if (auto done = made->open(place.parent); !done) return failure(done.error());
  if (auto done = made->tryOut(); !done) return failure(done.error());
  return std::unique_ptr<CpuLimiter>(std::move(made));
}

CgroupLimiter::~CgroupLimiter() { removeCgroup(directory_); }

Result<void> CgroupLimiter::open(const fs::path& parent) {
  cpu_set_t available;
  const auto take = [this](int cpu) {
    auto name = first_ ? system::Descriptor() : system::takeName("slaq-cpu-" + std::to_string(cpu));
    const bool isOurs = first_ || name.isOpen();
    if (name.isOpen()) taken_.push_back(std::move(name));
    return isOurs;
  };
  if (::sched_getaffinity(0, sizeof available, &available) == 0)
    cpus_ = cpusFor(all_, available, first_.value_or(0), take);
  if (version_ == CgroupVersion::Two) {
    if (auto done = giveCpuController(parent); !done) return done;
  }
  if (auto done = makeDirectory(directory_); !done) return done;
  if (auto done = writeWeight(version_, directory_, all_); !done) return done;
  if (auto done = writeQuota(version_, directory_, quotaOfAll(all_)); !done) return done;
  return version_ == CgroupVersion::Two ? passOnCpu(directory_) : Result<void>();
}

Result<void> CgroupLimiter::tryOut() {
  const auto cpuLimit = limit("try", {.request = all_, .limit = all_});
  if (!cpuLimit) return failure(cpuLimit.error());
  if (canEnter((*cpuLimit)->entry())) return {};
  return failure(ErrorKind::Forbidden, "no process can be moved into " + directory_.string());
}

Result<std::unique_ptr<CpuLimit>> CgroupLimiter::limit(const std::string& name,
                                                       const CpuResources& resources) {
  const auto group = directory_ / (name + "." + std::to_string(++made_));
  if (auto done = makeDirectory(group); !done) return failure(done.error());
  if (auto done = writeResources(version_, group, resources, all_); !done) {
    removeCgroup(group);
    return failure(done.error());
  }
  system::Descriptor entry(::open((group / "cgroup.procs").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
  if (!entry.isOpen()) {
    removeCgroup(group);
    return system::systemFailure(ErrorKind::Forbidden, "open " + (group / "cgroup.procs").string());
  }
  return std::unique_ptr<CpuLimit>(
      std::make_unique<CgroupLimit>(version_, group, all_, cpus_, std::move(entry)));
}

std::string CgroupLimiter::means() const {
  return (version_ == CgroupVersion::One ? "cgroup v1 at " : "cgroup v2 at ") + directory_.string();
}

}  // namespace slaq::local::cpu
