// Remembers the growths for which jobs asked their queues, and which of them were in vain. A plain value.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "base/units.h"
#include "kube/queues/slices.h"

namespace slaq::kube::queues {

// All uids are those of jobs, unless something else is said.
class Growths {
 public:
  // Notes what came of the job's growth. A growth is in vain if it waits for more than ten seconds, or if it
  // isFailedGrowth(). REQUIRES: slices.current.
  void note(const std::string& uid, const Slices& slices, Time now);

  // True if the job may ask for more: it does not pause after a growth in vain, and no growth of it has
  // waited for too long. The pauses after several growths in vain become longer.
  bool mayGrow(const std::string& uid, const Slices& slices, Time now) const;

  // Forgets all jobs but those that are among the keys of `jobs`.
  void retain(const std::map<std::string, std::string>& jobs);

 private:
  // The growth that a job asked for last.
  struct Growth {
    std::string uid = {};  // of the Workload; empty once it was admitted, or has failed
    Time since;
    Seconds pause{0};             // after the last growth in vain
    std::optional<Time> until{};  // no other growth is asked for before
    std::string failed = {};      // the uid of the Workload that last was a failed growth
  };

  static void setInVain(Growth& growth, Time now, Seconds longestPause);

  std::map<std::string, Growth> growths_;
};

}  // namespace slaq::kube::queues
