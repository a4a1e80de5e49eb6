// Which jobs' writes failed, and when they are tried again. A plain value.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/units.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

// A write of a job is told from its others by a number. All times are on the monotonic clock.
class RetryTimes {
 public:
  // Forgets all jobs but these, and what failed before a job was edited or made again.
  void retain(const scheduler::Snapshot& snapshot);

  // The write failed after `took`. It waits for half an epoch, one and a half, three and a half and so on, up
  // to a minute: half an epoch less than whole ones, since epochs are not evenly spaced. If that took long
  // twice, it waits so long that less than a tenth of the time goes into it, up to five minutes.
  void addFailure(const JobView& job, Seconds now, Seconds epoch, Seconds took = Seconds(0),
                  std::size_t write = 0);
  // Nobody was answered, so that it is no fault of the job: it need not wait, but others come first. More
  // than a few silences without a success between count as failures: an outage of the server would have cost
  // this process its lease by then.
  void addSilence(const JobView& job, Seconds now, Seconds epoch, Seconds took, std::size_t write = 0);
  void forget(const JobKey& job, std::size_t write = 0) { failed_.erase({job, write}); }

  // When it failed last; 0 if it did not fail. Those that failed longest ago come first.
  Seconds failedAt(const JobKey& job, std::size_t write = 0) const;
  bool mustWait(const JobKey& job, Seconds now, std::size_t write = 0) const;

 private:
  struct Failed {
    std::string uid;
    std::int64_t generation = 0;
    int times = 0;
    int silences = 0;  // as `times`: since the write last succeeded
    Seconds at{0};
    Seconds retry{0};
  };

  Failed& failedOf(const JobView& job, Seconds now, std::size_t write);

  std::map<std::pair<JobKey, std::size_t>, Failed> failed_;
};

}  // namespace slaq::loop
