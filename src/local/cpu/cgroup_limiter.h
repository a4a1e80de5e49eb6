// Limits processes by control groups: one group for all, and in it one group with a CPU quota for each
// process. The kernel enforces the quota for everything that a process starts.
#pragma once

#include "local/cpu/cgroup_places.h"
#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

// A limit as the kernel has it: an amount of CPU time in each period.
struct CpuQuota {
  std::int64_t quotaMicros = 0;
  std::int64_t periodMicros = 0;

  bool operator==(const CpuQuota&) const = default;
};

// The period is short, so that a worker with a small limit doesn't stand still for long, and longer only
// where the kernel's smallest quota of 1 ms requires it.
CpuQuota quotaFor(Cores limit);

class CgroupLimiter final : public CpuLimiter {
 public:
  // Makes the group under `place` and moves a process into it as a trial. Forbidden where that fails.
  static Result<std::unique_ptr<CpuLimiter>> make(const CgroupPlace& place);
  ~CgroupLimiter() override;
  CgroupLimiter(const CgroupLimiter&) = delete;
  CgroupLimiter& operator=(const CgroupLimiter&) = delete;

  Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, Cores cores) override;
  std::string means() const override;
  std::optional<std::filesystem::path> directory() const override { return directory_; }

 private:
  CgroupLimiter(CgroupVersion version, std::filesystem::path directory)
      : version_(version), directory_(std::move(directory)) {}
  Result<void> open(const std::filesystem::path& parent);
  Result<void> tryOut();

  CgroupVersion version_;
  std::filesystem::path directory_;
  int made_ = 0;
};

// Kills every process in a control group and in the groups below it, and removes the groups. A group that
// can't be removed within a second stays.
void removeCgroup(const std::filesystem::path& directory);

}  // namespace slaq::local::cpu
