// Observes the processes of this machine between two epochs.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "local/cluster/local_cluster.h"
#include "loop/epoch_loop.h"
#include "ports/loss_source.h"

namespace slaq::cli::machine {

// The pauses that are assumed until a job has shown its own. A process starts sooner than a pod, but its data
// must be made first. The weight of a process changes at once and for nothing, and the next decision can take
// the change back. So it need only be right until then.
inline constexpr scheduler::ResizePrice kPrice{
    .grow = Seconds(3), .shrink = Seconds(0), .horizon = Seconds(30), .horizonInPlace = Seconds(0)};

// The time between two checks of the processes, with a reading of losses.
inline constexpr Seconds kTick{0.25};

// The least time from a decision to an early one. A decision takes a millisecond here, and most changes are
// those of weights, which cost nothing.
inline constexpr Seconds kLeastBetweenEpochs{0.1};

// The directory of this program, which also contains slaq-report.
std::filesystem::path ownDirectory();

// Only the loop's thread uses it.
class MachineWatch {
 public:
  // All arguments outlive this.
  MachineWatch(local::cluster::LocalCluster& cluster, LossSource& losses, const loop::EpochLoop& loop)
      : cluster_(cluster), losses_(losses), loop_(loop) {}

  // Notices events that an epoch would see too late: the first losses of a new job, and the end of a job.
  // True if an early epoch is needed: a job has done its first iteration or has ended, or cores that another
  // job waits for have become free.
  bool look();
  // The jobs as the last look() saw them; empty before it.
  const ClusterView& seen() const { return seen_; }

  // Notes the end of a job whose training is over; true if it was not known yet.
  bool noteEnd(const JobView& job, Time now);
  std::optional<Time> endOf(const JobKey& job) const;
  // Forgets all jobs but these.
  void forgetAllBut(const std::map<JobKey, local::cluster::LeftJob>& jobs);

 private:
  local::cluster::LocalCluster& cluster_;
  LossSource& losses_;
  const loop::EpochLoop& loop_;
  std::optional<Time> looked_;
  ClusterView seen_;
  std::map<JobKey, std::string> endpoints_;  // where each chief was read last
  std::map<JobKey, Time> ends_;
  std::set<JobKey> begun_;  // a loss of theirs was read
};

}  // namespace slaq::cli::machine
