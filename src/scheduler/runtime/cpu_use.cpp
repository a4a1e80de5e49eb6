#include "scheduler/runtime/cpu_use.h"

#include <algorithm>
#include <cmath>

#include "scheduler/constants.h"

namespace slaq::scheduler {

void CpuReadings::add(const CpuUse& use) {
  if (!readings_.empty() && use.time <= readings_.back().time) return;
  if (use.used < used()) readings_.clear();
  readings_.push_back(use);
  const auto isOld = [&](const CpuUse& reading) { return use.time - reading.time >= kCpuUsePeriod; };
  // The newest of the old readings begins the period.
  const auto firstNew = std::ranges::find_if_not(readings_, isOld);
  if (firstNew - readings_.begin() > 1) readings_.erase(readings_.begin(), firstNew - 1);
}

std::optional<Cores> CpuReadings::coresSince(Time since) const {
  const auto first = std::ranges::lower_bound(readings_, since, {}, &CpuUse::time);
  if (first == readings_.end()) return std::nullopt;
  const Seconds period = readings_.back().time - first->time;
  if (period < kCpuUsePeriod) return std::nullopt;
  return Cores(std::lround(1000 * (readings_.back().used - first->used) / period));
}

std::optional<Seconds> CpuReadings::usedAt(Time moment) const {
  const auto after = std::ranges::lower_bound(readings_, moment, {}, &CpuUse::time);
  if (after == readings_.end()) return std::nullopt;
  if (after->time == moment) return after->used;
  if (after == readings_.begin()) return std::nullopt;
  const auto before = after - 1;
  return before->used + (moment - before->time) / (after->time - before->time) * (after->used - before->used);
}

void StartWork::add(const std::string& kind, Seconds used) {
  all_.add(used);
  if (!kind.empty()) kinds_.change(kind, [] { return PauseRecord<15>(); }).add(used);
}

std::optional<Seconds> StartWork::expected(const std::string& kind) const {
  const auto* ofKind = kind.empty() ? nullptr : kinds_.find(kind);
  const auto own = ofKind ? ofKind->median() : std::nullopt;
  return own ? own : all_.median();
}

}  // namespace slaq::scheduler
