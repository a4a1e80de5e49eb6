// Lets programs start on other cores than those that they share later. A program needs nothing that the
// others share while it starts, so its start need not be divided.
#pragma once

#include "local/cpu/cpu_limiter.h"

namespace slaq::local::cpu {

class StartingLimiter final : public CpuLimiter {
 public:
  // A process that is starting gets its cores from `starting`. It gets them from `shared` once it is given
  // resources without isStarting. Neither limiter is null.
  StartingLimiter(std::shared_ptr<CpuLimiter> starting, std::shared_ptr<CpuLimiter> shared)
      : starting_(std::move(starting)), shared_(std::move(shared)) {}

  Result<std::unique_ptr<CpuLimit>> limit(const std::string& name, const CpuResources& resources) override;
  // Names the mechanism of the shared cores.
  std::string means() const override { return shared_->means(); }
  std::vector<std::filesystem::path> directories() const override;

 private:
  const std::shared_ptr<CpuLimiter> starting_;
  const std::shared_ptr<CpuLimiter> shared_;
};

}  // namespace slaq::local::cpu
