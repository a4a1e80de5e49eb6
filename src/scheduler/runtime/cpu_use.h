// The CPU that jobs with `scaling: CPU` use: the cores that run their iterations, and the CPU time before the
// first one. CPU times are in CPU seconds. Plain values; one thread owns each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "forecast/speed/recent_map.h"
#include "job/view.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

// The newest readings of the CPU time that a job has used: those of the last kCpuUsePeriod, and the one
// before them.
class CpuReadings {
 public:
  // A reading that is no newer than the last one is ignored. If the CPU time fell, a pod was replaced: the
  // readings before are forgotten.
  void add(const CpuUse& use);
  void clear() { readings_.clear(); }

  // The CPU time by the last reading; 0 before there was one.
  Seconds used() const { return readings_.empty() ? Seconds(0) : readings_.back().used; }
  // The mean number of cores used since the newest reading that is at least kCpuUsePeriod old, and not from
  // before `since`. Empty if there is none.
  std::optional<Cores> coresSince(Time since) const;
  // The CPU time at that moment, interpolated between the readings around it. Empty if all readings are
  // later, or all are earlier.
  std::optional<Seconds> usedAt(Time moment) const;

 private:
  std::vector<CpuUse> readings_;  // oldest first
};

// The CPU time that a job needs before its first iteration: for imports, data and compilation. A larger part
// of the CPU brings the first iteration sooner.
class StartWork {
 public:
  // A job of this kind had used this CPU time when its first loss was seen. `kind` is empty for a job that
  // resembles no other.
  void add(const std::string& kind, Seconds used);

  // The median of this kind or, before two of the kind were seen, of all jobs; empty before two jobs were
  // seen.
  std::optional<Seconds> expected(const std::string& kind) const;

 private:
  forecast::RecentMap<std::string, PauseRecord<15>, 500> kinds_;
  PauseRecord<15> all_;
};

}  // namespace slaq::scheduler
