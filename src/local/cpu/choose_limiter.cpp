#include "local/cpu/choose_limiter.h"

#include <sched.h>

#include <algorithm>
#include <sstream>
#include <thread>

#include "local/cpu/cgroup_limiter.h"
#include "local/cpu/throttling_limiter.h"
#include "local/system/files.h"

namespace slaq::local::cpu {
namespace {

constexpr Cores kOneCore{1000};

std::vector<CgroupPlace> ownPlaces() {
  return cgroupPlaces(system::readFile("/proc/self/mountinfo"), system::readFile("/proc/self/cgroup"));
}

std::optional<Cores> quotaOf(const CgroupPlace& place) {
  const auto text = place.version == CgroupVersion::Two
                        ? system::readFile(place.parent / "cpu.max")
                        : system::readFile(place.parent / "cpu.cfs_quota_us") + " " +
                              system::readFile(place.parent / "cpu.cfs_period_us");
  std::istringstream in(text);  // "max 100000" or "-1 100000" where there is none
  std::int64_t quota = 0, period = 0;
  if (!(in >> quota >> period) || quota <= 0 || period <= 0) return std::nullopt;
  return Cores(std::max<std::int64_t>(1, quota * 1000 / period));
}

}  // namespace

std::optional<Cores> leastQuota(const std::vector<CgroupPlace>& groups) {
  std::optional<Cores> least;
  for (const auto& each : groups) {
    const auto quota = quotaOf(each);
    if (quota && (!least || *quota < *least)) least = quota;
  }
  return least;
}

Cores usableCores() {
  cpu_set_t allowed;
  const bool isKnown = ::sched_getaffinity(0, sizeof allowed, &allowed) == 0;
  const auto count = isKnown ? CPU_COUNT(&allowed) : static_cast<int>(std::thread::hardware_concurrency());
  const Cores all = kOneCore * Workers(std::max(1, count));
  // With less than one core, a program that requests one could never start.
  return std::min(all, std::max(kOneCore, leastQuota(ownPlaces()).value_or(all)));
}

std::unique_ptr<CpuLimiter> chooseCpuLimiter(Cores all, std::optional<int> first) {
  for (const auto& place : ownPlaces()) {
    if (auto limiter = CgroupLimiter::make(place, all, first)) return std::move(*limiter);
  }
  return std::make_unique<ThrottlingLimiter>(all);
}

}  // namespace slaq::local::cpu
