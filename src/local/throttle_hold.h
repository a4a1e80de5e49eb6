// Holding processes where no control group can be written: a thread reads the CPU time that each process
// (with its descendants) has used, stops its process group once it is ahead of its limit and lets it
// continue once time has caught up. Coarser than the kernel's own means, but over some tenths of a second as
// true. What lives for less than a look at the descendants, or leaves the process group, is not held.
#pragma once

#include <memory>

#include "local/cpu_hold.h"

namespace slaq {

class Throttle;

class ThrottleHold final : public CpuHold {
 public:
  ThrottleHold();
  ~ThrottleHold() override;
  ThrottleHold(const ThrottleHold&) = delete;
  ThrottleHold& operator=(const ThrottleHold&) = delete;

  Result<std::unique_ptr<Held>> hold(const std::string& name, Cores limit) override;
  std::string means() const override;

 private:
  std::shared_ptr<Throttle> throttle_;
};

}  // namespace slaq
