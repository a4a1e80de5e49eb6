// How long growths took of late until their workers were ready, those of all jobs. Where many hundreds of
// pods are asked for at once, the cluster takes minutes to create them, and no growth among them has failed.
// A plain value; one thread owns it.
#pragma once

#include "base/units.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

// What a growth is given at least, and at most.
inline constexpr Seconds kShortestResizeTimeout{30};
inline constexpr Seconds kLongestResizeTimeout{300};

class GrowthTimes {
 public:
  // A growth that was asked for so long ago has come.
  void add(Seconds took, Time now);
  // A growth that has not come after so long is given up: twice what others took, while any came of late.
  Seconds timeout(Time now) const;

 private:
  PauseRecord<16> newest_;
  Time last_;  // when the last one was added
};

}  // namespace slaq::scheduler
