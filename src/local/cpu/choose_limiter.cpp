#include "local/cpu/choose_limiter.h"

#include "local/cpu/cgroup_limiter.h"
#include "local/cpu/throttling_limiter.h"
#include "local/system/files.h"

namespace slaq::local::cpu {

std::unique_ptr<CpuLimiter> chooseCpuLimiter(Cores all, int first) {
  for (const auto& place :
       cgroupPlaces(system::readFile("/proc/self/mountinfo"), system::readFile("/proc/self/cgroup"))) {
    if (auto limiter = CgroupLimiter::make(place, all, first)) return std::move(*limiter);
  }
  return std::make_unique<ThrottlingLimiter>(all);
}

}  // namespace slaq::local::cpu
