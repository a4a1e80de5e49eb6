// The cost of a change of a job's size, learned from its own resizes. One part is the pause: the time since
// the change, less the time of the iterations done since then. The other part is the work that is lost
// because the program goes on from a checkpoint.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "scheduler/runtime/pause_record.h"
#include "scheduler/runtime/runtime_model.h"

namespace slaq::scheduler {

class LearnedPauses {
 public:
  // At `time` the job was told to go on with `cores`. It was at iteration `position` then and did `speed`
  // iterations a second. `lost` is the work that this is expected to lose, in seconds at that speed.
  void resized(Time time, Iterations position, double speed, Cores cores, bool grew, Seconds lost);
  // The trainer had completed `iteration` at `time`. `runtime` has taken in this sample already.
  void sample(Time time, Iterations iteration, const RuntimeModel& runtime);

  // Restores the values from before this process started; empty where a value is not known.
  void restore(std::optional<Seconds> grow, std::optional<Seconds> shrink, std::optional<Seconds> lost);

  // The medians of the last five; empty before two were measured.
  std::optional<Seconds> grow() const { return grow_.median(); }
  std::optional<Seconds> shrink() const { return shrink_.median(); }
  // The lost work, in seconds of work at the size before the change.
  std::optional<Seconds> lost() const { return lost_.median(); }

  // The measured cost of one resize.
  struct Cost {
    bool grew = false;
    // Each is set where it could be told from the other.
    std::optional<Seconds> pause = {};
    std::optional<Seconds> lost = {};
  };
  // The costs that were measured since the last call.
  std::vector<Cost> takeNew() { return std::exchange(new_, {}); }

 private:
  // A resize whose cost is not known yet.
  struct Change {
    Time time;
    double position;  // at the time of the change
    double speed;     // before the change, iterations a second
    double cores;
    bool grew;
    bool overlaps;        // no new iteration was seen since the change before, whose pause may go on
    double expectedLost;  // iterations
    double iteration;     // of the newest sample since then
    int advances = 0;     // samples since then that showed a new iteration
    std::optional<double> resumed = {};  // the iteration from which it went on, if that is an earlier one
  };

  // The job's state some time after a change.
  struct Outcome {
    Seconds took{0};
    double position = 0;
    double speed = 1;  // iterations a second
  };

  void measure(const Change& change, Time time, const RuntimeModel& runtime);
  Cost costOfGoingOn(const Change& change, const Outcome& outcome) const;
  Cost costOfStepBack(const Change& change, const Outcome& outcome) const;

  std::optional<Time> sampled_;
  std::optional<Change> change_;
  PauseRecord<5> grow_;
  PauseRecord<5> shrink_;
  PauseRecord<5> lost_;
  std::vector<Cost> new_;
};

}  // namespace slaq::scheduler
