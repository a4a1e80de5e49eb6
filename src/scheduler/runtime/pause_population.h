// What a resize can be expected to cost a job before it has shown it: what it cost jobs of its kind, and all
// jobs. A plain value; one thread owns it.
#pragma once

#include <string>

#include "forecast/speed/recent_map.h"
#include "scheduler/runtime/learned_pauses.h"

namespace slaq::scheduler {

// The medians of what was seen; empty before two were.
struct TypicalPauses {
  std::optional<Seconds> grow = {};
  std::optional<Seconds> shrink = {};
  std::optional<Seconds> lost = {};  // of work at the size before
};

struct ExpectedPauses {
  TypicalPauses ofKind = {};
  TypicalPauses ofAll = {};
  // What can be relied on: three quarters of those seen were longer.
  Seconds leastGrow{0};
  Seconds leastShrink{0};
};

class PausePopulation {
 public:
  ExpectedPauses expected(const std::string& kind) const;
  // What a resize of a job of this kind was measured to cost. `kind` is empty for a job that resembles no
  // other.
  void update(const std::string& kind, const LearnedPauses::Cost& cost);

 private:
  struct Record {
    PauseRecord<15> grow;
    PauseRecord<15> shrink;
    PauseRecord<15> lost;

    void add(const LearnedPauses::Cost& cost);
    TypicalPauses typical() const { return {grow.median(), shrink.median(), lost.median()}; }
  };

  forecast::RecentMap<std::string, Record, 500> kinds_;
  Record all_;
};

}  // namespace slaq::scheduler
