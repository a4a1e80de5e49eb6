// Holding processes where no control group can be written: a thread reads the CPU time that each process
// (with its descendants) has used, stops its process group once it is ahead of its limit and lets it
// continue once time has caught up. Coarser than the kernel's own means, but over some tenths of a second as
// true. What lives for less than a look at the descendants, or leaves the process group, is not held.
#pragma once

#include <memory>

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

class Throttle;

class ThrottlingLimiter final : public CpuLimiter {
 public:
  ThrottlingLimiter();
  ~ThrottlingLimiter() override;
  ThrottlingLimiter(const ThrottlingLimiter&) = delete;
  ThrottlingLimiter& operator=(const ThrottlingLimiter&) = delete;

  Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, Cores cores) override;
  std::string means() const override;

 private:
  std::shared_ptr<Throttle> throttle_;
};

}  // namespace slaq::local::cpu
