// The expected cost of a resize for a job that has not shown its own: the cost for jobs of its kind, and for
// all jobs. A plain value; one thread owns it.
#pragma once

#include <string>

#include "forecast/speed/recent_map.h"
#include "scheduler/runtime/learned_pauses.h"

namespace slaq::scheduler {

// The medians of the measured costs; empty before two were measured.
struct TypicalPauses {
  std::optional<Seconds> grow = {};
  std::optional<Seconds> shrink = {};
  std::optional<Seconds> lost = {};  // work at the size before
};

struct ExpectedPauses {
  TypicalPauses ofKind = {};
  TypicalPauses ofAll = {};
  // Pauses that can be relied on: three quarters of those seen were longer.
  Seconds leastGrow{0};
  Seconds leastShrink{0};
};

class PausePopulation {
 public:
  ExpectedPauses expected(const std::string& kind) const;
  // A resize of a job of this kind had this measured cost. `kind` is empty for a job that resembles no other.
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
