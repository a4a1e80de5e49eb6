// When the samples of a job come: how far apart they are taken, and how long after that they can be read. A
// scrape every 30 s, or a source that is half a minute late, makes no job silent. A plain value; one thread
// owns it.
#pragma once

#include <optional>

#include "base/units.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

class SampleTimes {
 public:
  // A sample that was taken so long after the one before.
  void add(Seconds spacing) { spacing_.add(spacing); }
  // The newest sample that a reading brought was taken so long before it was read.
  void addDelay(Seconds delay);

  // The median of the newest; empty before two were seen.
  std::optional<Seconds> spacing() const { return spacing_.median(); }
  // The same, also of a single one; 0 before any was seen.
  Seconds delay() const { return delay_.median().value_or(Seconds(0)); }
  // The newest sample is at most so old while samples go on as they came; empty before the spacing is known.
  std::optional<Seconds> oldest() const;

 private:
  PauseRecord<9> spacing_;
  PauseRecord<9> delay_;
};

}  // namespace slaq::scheduler
