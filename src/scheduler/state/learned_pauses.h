// How long a job really stands still when its size changes, learned from its own resizes: the time since the
// change less that which the iterations done since then take.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "scheduler/state/runtime_model.h"

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

 private:
  struct Measured {
    std::array<Seconds, 5> last{};
    std::size_t count = 0;

    void add(Seconds pause) { last[count++ % last.size()] = pause; }
    std::optional<Seconds> median() const;
  };
  // A resize whose pause is not known yet.
  struct Change {
    Time time;
    double position;
    double cores;
    bool grew;
    double iteration;  // of the newest sample since then
    int advances = 0;  // samples since then that showed a new iteration
  };

  std::optional<Change> change_;
  Measured grow_;
  Measured shrink_;
};

}  // namespace slaq::scheduler
