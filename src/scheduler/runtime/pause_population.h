// How long a job can be expected to stand still at a resize before it has shown it: as jobs of its kind did,
// else as all did. A plain value; one thread owns it.
#pragma once

#include <string>

#include "forecast/speed/recent_map.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

struct ExpectedPauses {
  // The medians of those seen; empty before two were.
  std::optional<Seconds> grow = {};
  std::optional<Seconds> shrink = {};
  // What can be relied on: three quarters of those seen were longer.
  Seconds leastGrow{0};
  Seconds leastShrink{0};
};

class PausePopulation {
 public:
  ExpectedPauses expected(const std::string& kind) const;
  // A pause that a job of this kind was measured to make. `kind` is empty for a job that resembles no other.
  void update(const std::string& kind, bool grew, Seconds pause);

 private:
  struct Record {
    PauseRecord<15> grow;
    PauseRecord<15> shrink;
  };

  forecast::RecentMap<std::string, Record, 500> kinds_;
  Record all_;
};

}  // namespace slaq::scheduler
