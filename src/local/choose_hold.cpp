#include "local/cgroup_hold.h"
#include "local/cpu_hold.h"
#include "local/files.h"
#include "local/throttle_hold.h"

namespace slaq {

std::unique_ptr<CpuHold> chooseCpuHold() {
  for (const auto& place : cgroupPlaces(readFile("/proc/self/mountinfo"), readFile("/proc/self/cgroup"))) {
    if (auto hold = CgroupHold::make(place)) return std::move(*hold);
  }
  return std::make_unique<ThrottleHold>();
}

}  // namespace slaq
