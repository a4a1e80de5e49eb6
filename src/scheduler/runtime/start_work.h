// The CPU time that a job which scales by CPU needs before its first iteration: for imports, data and
// compilation. A larger part of the CPU brings the first iteration sooner. A plain value; one thread owns it.
#pragma once

#include <string>

#include "forecast/speed/recent_map.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

class StartWork {
 public:
  // A job of this kind had used this CPU time when its first loss was seen. `kind` is empty for a job that
  // resembles no other.
  void add(const std::string& kind, Seconds used) {
    all_.add(used);
    if (!kind.empty()) kinds_.change(kind, [] { return PauseRecord<15>(); }).add(used);
  }

  // The median of this kind or, before two of the kind were seen, of all jobs; empty before two jobs were
  // seen.
  std::optional<Seconds> expected(const std::string& kind) const {
    const auto* ofKind = kind.empty() ? nullptr : kinds_.find(kind);
    const auto own = ofKind ? ofKind->median() : std::nullopt;
    return own ? own : all_.median();
  }

 private:
  forecast::RecentMap<std::string, PauseRecord<15>, 500> kinds_;
  PauseRecord<15> all_;
};

}  // namespace slaq::scheduler
