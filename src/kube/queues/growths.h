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
  // Notes what came of the job's growth. A growth is in vain if it waits for more than ten seconds. It also
  // is in vain if it takes the place of the job's Workload and is evicted before it is admitted, as by an
  // admission check: the job has stopped then. REQUIRES: slices.current.
  void note(const std::string& uid, const Slices& slices, Time now);

  // True if the job may ask for more: it does not pause after a growth in vain, and no growth of it has
  // waited for too long. The pauses after several growths in vain become longer.
  bool mayGrow(const std::string& uid, const Slices& slices, Time now) const;

  // True if this Workload of the job was a growth that was evicted before it was admitted.
  bool isEvicted(const std::string& uid, const Workload& workload) const;

  // Forgets all jobs but those that are among the keys of `jobs`.
  void retain(const std::map<std::string, std::string>& jobs);

 private:
  // The growth that a job asked for last.
  struct Growth {
    std::string uid = {};  // of the Workload; empty once it was admitted or evicted
    Time since;
    Seconds pause{0};             // after the last growth in vain
    std::optional<Time> until{};  // no other growth is asked for before
    std::string evicted = {};     // the uid of the Workload, if it was evicted before it was admitted
  };

  static void setInVain(Growth& growth, Time now);

  std::map<std::string, Growth> growths_;
};

}  // namespace slaq::kube::queues
