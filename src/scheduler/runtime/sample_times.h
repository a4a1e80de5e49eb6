// The times at which samples of a job come: how far apart they are taken, and how long after that they can be
// read. A scrape every 30 s, or a source that is half a minute late, makes no job silent. A plain value; one
// thread owns it.
#pragma once

#include <optional>

#include "base/units.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

class SampleTimes {
 public:
  // A sample was taken `spacing` after the one before.
  void add(Seconds spacing) { spacing_.add(spacing); }
  // The newest sample of a reading was taken `delay` before the reading.
  void addDelay(Seconds delay);

  // The median of the newest spacings; empty before two were seen.
  std::optional<Seconds> spacing() const { return spacing_.median(); }
  // The median of the newest delays, also of a single one; 0 before any was seen.
  Seconds delay() const { return delay_.median().value_or(Seconds(0)); }
  // The largest age of the newest sample while samples go on as before; empty before the spacing is known.
  std::optional<Seconds> oldest() const;

 private:
  PauseRecord<9> spacing_;
  PauseRecord<9> delay_;
};

}  // namespace slaq::scheduler
