// Writes the statuses that changed, at a rate that the server bears: ends first, then what has waited
// longest, then numbers that only drifted. A status that cannot be written holds no other one up.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "base/clock.h"
#include "loop/status/status.h"
#include "loop/write/retry_times.h"
#include "loop/write/write_rate.h"
#include "ports/cluster.h"
#include "scheduler/state/settings.h"

namespace slaq::loop {

// After this many calls without an answer the cluster is not called again in an epoch: each may take long.
inline constexpr int kMostSilences = 3;

bool isSilence(const Result<void>& result);

struct StatusFailure {
  JobKey job;
  Error error;
};

// One thread owns it.
class StatusWriter {
 public:
  // Both outlive it.
  StatusWriter(Cluster& cluster, const Clock& clock) : cluster_(cluster), clock_(clock) {}

  // What an epoch wants to be written; `statuses` in the order of the snapshot's jobs. Both outlive what
  // is written in this epoch.
  void begin(const scheduler::Snapshot& snapshot, const std::vector<JobStatus>& statuses,
             const scheduler::Settings& settings);

  // Writes the statuses of jobs that have ended: before their pods are stopped, so that no other controller
  // starts them again. Goes on as long as `mayGoOn` says so before each write, on any thread.
  void writeEnds(const std::function<bool()>& mayGoOn);
  // Whether the status in the cluster says that the job has ended. REQUIRES: it is of the snapshot.
  bool isEndWritten(const JobKey& job) const;
  // Writes the others, in the same way.
  void writeOthers(const std::function<bool()>& mayGoOn);

  // What could not be written since begin().
  const std::vector<StatusFailure>& failures() const { return failures_; }

 private:
  void retain(const scheduler::Snapshot& snapshot);
  void write(std::vector<std::size_t>& jobs, const std::function<bool()>& mayGoOn);
  // Takes note of a write that is over; true if the cluster has the status now.
  bool noteWritten(std::size_t job, const Result<void>& result);
  const JobView& viewOf(std::size_t job) const { return *snapshot_->jobs[job].view; }

  Cluster& cluster_;
  const Clock& clock_;
  const scheduler::Snapshot* snapshot_ = nullptr;
  const std::vector<JobStatus>* statuses_ = nullptr;
  Seconds epoch_{1};
  bool recordsEvents_ = true;

  std::vector<std::size_t> ends_;
  std::vector<std::size_t> news_;
  std::vector<std::size_t> drifts_;
  std::map<JobKey, Seconds> pending_;  // since when the cluster does not have its status, or the last try
  RetryTimes retries_;
  std::map<JobKey, Seconds> written_;  // when its status was last written
  std::vector<StatusFailure> failures_;
  int silences_ = 0;
  WriteRate rate_;
};

}  // namespace slaq::loop
