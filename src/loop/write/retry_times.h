// Which jobs' writes failed, and when they are tried again. A plain value.
#pragma once

#include <map>

#include "base/units.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

// All times are on the monotonic clock.
class RetryTimes {
 public:
  // Forgets all other jobs.
  void retain(const scheduler::Snapshot& snapshot);

  // A write of the job failed after `took`. It waits for one epoch, two, four and so on, but not much longer
  // than a minute; and so long that less than a tenth of the time goes into it.
  void addFailure(const JobKey& job, Seconds now, Seconds epoch, Seconds took = Seconds(0));
  void forget(const JobKey& job) { failed_.erase(job); }

  // In a row.
  bool hasFailed(const JobKey& job) const { return failed_.contains(job); }
  bool mustWait(const JobKey& job, Seconds now) const;

 private:
  struct Failed {
    int times = 0;
    Seconds retry{0};
  };

  std::map<JobKey, Failed> failed_;
};

}  // namespace slaq::loop
