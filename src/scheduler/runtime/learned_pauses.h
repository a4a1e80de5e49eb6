// How long a job really stands still when its size changes, learned from its own resizes: the time since the
// change less that which the iterations done since then take.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/runtime/pause_record.h"
#include "scheduler/runtime/runtime_model.h"

namespace slaq::scheduler {

class LearnedPauses {
 public:
  // At `time`, when it was at iteration `position`, the job was told to go on with `cores`.
  void resized(Time time, Iterations position, Cores cores, bool grew);
  // The trainer had completed `iteration` at `time`; `runtime` knows it already.
  void sample(Time time, Iterations iteration, const RuntimeModel& runtime);

  // The median of the last five; empty before two were seen.
  std::optional<Seconds> grow() const { return grow_.median(); }
  std::optional<Seconds> shrink() const { return shrink_.median(); }

  struct Pause {
    bool grew;
    Seconds length;
  };
  // Those measured since the last call.
  std::vector<Pause> takeNew() { return std::exchange(new_, {}); }

 private:
  // A resize whose pause is not known yet.
  struct Change {
    Time time;
    double position;
    double cores;
    bool grew;
    bool overlaps;     // it came before anything was seen of the one before, whose pause may go on
    double iteration;  // of the newest sample since then
    int advances = 0;  // samples since then that showed a new iteration
  };

  std::optional<Change> change_;
  PauseRecord<5> grow_;
  PauseRecord<5> shrink_;
  std::vector<Pause> new_;
};

}  // namespace slaq::scheduler
