// Remembers which writes of jobs failed and when to try them again. A plain value.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "base/units.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

// A number distinguishes the writes of one job. All times are on the monotonic clock.
class RetryTimes {
 public:
  // Keeps only the jobs of the snapshot, and forgets failures from before a job was edited or created again.
  void retain(const scheduler::Snapshot& snapshot);

  // Notes that the write failed after `took`. The next try waits for half an epoch, then one and a half, then
  // three and a half and so on, up to a minute. These are half an epoch less than whole epochs, since epochs
  // are not evenly spaced. After the second failure and later ones, the write also waits for at least ten
  // times `took`, or five minutes if that is less, so that it takes less than a tenth of the time.
  void addFailure(const JobView& job, Seconds now, Seconds epoch, Seconds took = Seconds(0),
                  std::size_t write = 0);
  // Notes that no call was answered, which is not the job's fault: the write need not wait, but others come
  // first. After a few silences without a success between them, each further one counts as a failure: an
  // outage of the server would have cost this process its lease by then.
  void addSilence(const JobView& job, Seconds now, Seconds epoch, Seconds took, std::size_t write = 0);
  void forget(const JobKey& job, std::size_t write = 0) { failed_.erase({job, write}); }

  // The time of the last failure; 0 if there was none. Writes whose failure is the oldest come first.
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
