// Divides the CPU where no control group can be written. A thread reads the CPU time that each process (with
// its descendants) has used, stops the process group when it is ahead of its share, and continues it later.
// This is coarser than control groups, but as exact over some tenths of a second. A descendant that lives
// shorter than the interval of the scans, or leaves the process group, is not limited.
#pragma once

#include <memory>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

class Throttle;

class ThrottlingLimiter final : public CpuLimiter {
 public:
  // `all`: the cores of all processes together.
  explicit ThrottlingLimiter(Cores all);
  ~ThrottlingLimiter() override;
  ThrottlingLimiter(const ThrottlingLimiter&) = delete;
  ThrottlingLimiter& operator=(const ThrottlingLimiter&) = delete;

  Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, const CpuResources& resources) override;
  std::string means() const override;

 private:
  std::shared_ptr<Throttle> throttle_;
};

}  // namespace slaq::local::cpu
