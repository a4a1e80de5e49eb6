// Divides the CPU by control groups: a parent group limits all processes together, and in it one group for
// each process has a weight and a quota. The kernel enforces them for everything that a process starts. A
// weight counts only between processes that want the same CPU, so all of them run on just as many CPUs as
// they have cores.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "local/cpu/cgroup_places.h"
#include "local/cpu/cpu_limiter.h"
#include "local/system/files.h"

namespace slaq::local::cpu {

// A limit in the kernel's form: an amount of CPU time in each period.
struct CpuQuota {
  std::int64_t quotaMicros = 0;
  std::int64_t periodMicros = 0;

  bool operator==(const CpuQuota&) const = default;
};

// The period is short, so that a worker with a small limit doesn't stand still for long. It is longer only
// where the kernel's smallest quota of 1 ms requires it.
CpuQuota quotaFor(Cores limit);
// The quota of all processes together has the kernel's default period. In a shorter one a process could use
// up all of it before another process runs.
CpuQuota quotaOfAll(Cores limit);

// A weight in the units of that version: cpu.shares, where one core is the kernel's default of 1024, or
// cpu.weight, whose default is 100. Weights beyond the ends of the version's range are set to these ends.
std::int64_t weightFor(CgroupVersion version, Cores request);

class CgroupLimiter final : public CpuLimiter {
 public:
  // Makes the parent group, with `all` cores, under `place` and moves a process into it as a trial. Forbidden
  // where that fails. It uses the CPUs from the place `first` on; without one, CPUs that no other limiter of
  // this machine has taken so, as far as there are enough.
  static Result<std::unique_ptr<CpuLimiter>> make(const CgroupPlace& place, Cores all,
                                                  std::optional<int> first = {});
  ~CgroupLimiter() override;
  CgroupLimiter(const CgroupLimiter&) = delete;
  CgroupLimiter& operator=(const CgroupLimiter&) = delete;

  Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, const CpuResources& resources) override;
  std::string means() const override;
  std::vector<std::filesystem::path> directories() const override { return {directory_}; }

 private:
  CgroupLimiter(CgroupVersion version, std::filesystem::path directory, Cores all, std::optional<int> first)
      : version_(version), directory_(std::move(directory)), all_(all), first_(first) {}
  Result<void> open(const std::filesystem::path& parent);
  Result<void> tryOut();

  CgroupVersion version_;
  std::filesystem::path directory_;
  Cores all_;
  std::optional<int> first_;
  std::optional<cpu_set_t> cpus_;
  std::vector<system::Descriptor> taken_;  // the names of the CPUs that other limiters leave to this one
  int made_ = 0;
};

// Chooses CPUs of `available`, one for each core or part of a core, beginning with the CPU at the place
// `first`. After the last CPU comes the first one. CPUs that `take` does not give come after all others.
// Empty if all are needed; then none is taken.
std::optional<cpu_set_t> cpusFor(
    Cores cores, const cpu_set_t& available, int first = 0,
    const std::function<bool(int cpu)>& take = [](int) { return true; });

}  // namespace slaq::local::cpu
