// The times that recent growths of all jobs took until their workers were ready. Where many hundreds of pods
// are asked for at once, the cluster takes minutes to create them, and no growth among them has failed. A
// plain value; one thread owns it.
#pragma once

#include "base/units.h"
#include "scheduler/runtime/pause_record.h"

namespace slaq::scheduler {

class GrowthTimes {
 public:
  // A growth arrived `took` seconds after it was asked for.
  void add(Seconds took, Time now);
  // The time after which a missing growth is given up: twice what other growths took, if any arrived lately.
  Seconds timeout(Time now) const;

 private:
  PauseRecord<16> newest_;
  Time last_;  // when the last one was added
};

}  // namespace slaq::scheduler
