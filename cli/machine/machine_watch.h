// What happens to the processes of this machine between two epochs.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "local/cluster/local_cluster.h"
#include "loop/epoch_loop.h"
#include "ports/loss_source.h"

namespace slaq::cli::machine {

// The pauses that are assumed until a job has shown its own. A process starts sooner than a pod, but its data
// must be made first.
inline constexpr scheduler::ResizePrice kPrice{
    .grow = Seconds(3), .shrink = Seconds(0), .horizon = Seconds(30)};

// How often the processes are looked after and losses are read.
inline constexpr Seconds kTick{0.25};

// The directory of this program, where slaq-report is too.
std::filesystem::path ownDirectory();

// One thread uses it, that of the loop.
class MachineWatch {
 public:
  // All of them outlive this.
  MachineWatch(local::cluster::LocalCluster& cluster, LossSource& losses, const loop::EpochLoop& loop)
      : cluster_(cluster), losses_(losses), loop_(loop) {}

  // Sees what a whole epoch would miss: the first losses of a new job, and when a job has ended. True if
  // something has happened that is worth an epoch: a job has ended, or cores have come free for which another
  // one waits.
  bool look();

  // Notes the end of a job whose training is over; true if it was not known yet.
  bool noteEnd(const JobView& job, Time now);
  std::optional<Time> endOf(const JobKey& job) const;
  // Forgets the jobs that are not among these.
  void forgetAllBut(const std::map<JobKey, local::cluster::LeftJob>& jobs);

 private:
  local::cluster::LocalCluster& cluster_;
  LossSource& losses_;
  const loop::EpochLoop& loop_;
  std::optional<Time> looked_;
  std::map<JobKey, std::string> endpoints_;  // where each chief was last read
  std::map<JobKey, Time> ends_;
};

}  // namespace slaq::cli::machine
