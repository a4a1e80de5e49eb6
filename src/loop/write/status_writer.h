// Writes the statuses that changed: ends first, then what has waited longest, then some of the numbers that
// only drifted. A status that cannot be written holds no other one up.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "base/clock.h"
#include "base/token_bucket.h"
#include "loop/status/status.h"
#include "loop/write/retry_times.h"
#include "loop/write/status_sender.h"
#include "ports/cluster.h"
#include "scheduler/state/settings.h"

namespace slaq::loop {

struct StatusFailure {
  JobKey job;
  Error error;
};

// One thread owns it.
class StatusWriter {
 public:
  // Both outlive it.
  StatusWriter(Cluster& cluster, const Clock& clock) : clock_(clock), sender_(cluster, clock) {}

  // An epoch is about to observe the cluster. What the one before gave is written on meanwhile.
  void beginObserving();

  // What the epoch wants to be written; `statuses` in the order of the snapshot's jobs. Both outlive the call
  // of writeOthers() that follows. A job whose status was written since beginObserving() waits for the next
  // epoch: its snapshot may be older.
  void begin(const scheduler::Snapshot& snapshot, const std::vector<JobStatus>& statuses,
             const scheduler::Settings& settings);

  // Writes the statuses of jobs that have ended: before their pods are stopped, so that no other controller
  // starts them again. Goes on as long as `mayGoOn` says so.
  void writeEnds(const std::function<bool()>& mayGoOn);
  // Whether the status in the cluster says that the job has ended. REQUIRES: it is of the snapshot.
  bool isEndWritten(const JobKey& job) const;
  // Where the cluster takes several writes at a time, the others are written after this pause, while the
  // caller does something else that may take long.
  void writeOthersAfter(Seconds pause);
  // Writes the others, and ends for which there was no time. Where the cluster takes several writes at a
  // time, that goes on until the next epoch's writeEnds() without the caller, and whatever `mayGoOn` says.
  void writeOthers(const std::function<bool()>& mayGoOn);
  // Begins nothing more.
  void stop() { sender_.stop(); }

  // What could not be written, as far as it was known to the last call of the above.
  const std::vector<StatusFailure>& failures() const { return failures_; }

 private:
  using Places = std::vector<std::size_t>;  // of jobs in the snapshot

  void retain(const scheduler::Snapshot& snapshot);
  // Gives the sender all that is to be written and was not tried yet.
  void sendOthers(Seconds pause);
  void sortByUrgency();
  void sortByAge(Places& jobs) const;
  // Whether numbers that only drifted may be written again.
  bool isDue(const JobKey& job, Seconds now) const;
  // Keeps those that have waited longest of what only drifted, as many as may be written now.
  void thinDrifts();
  std::vector<StatusToSend> toSend(const Places& jobs) const;
  // Takes note of the writes that are over.
  void note(const std::vector<SentStatus>& sent);
  // In an outage nobody was answered, which is no fault of the job.
  void noteFailure(const JobView& view, const SentStatus& sent, bool isOutage);
  const JobView& viewOf(std::size_t job) const { return *snapshot_->jobs[job].view; }
  const JobKey& keyOf(std::size_t job) const { return viewOf(job).job.key; }

  const Clock& clock_;
  const scheduler::Snapshot* snapshot_ = nullptr;
  const std::vector<JobStatus>* statuses_ = nullptr;
  Seconds epoch_{1};
  bool recordsEvents_ = true;

  std::map<JobKey, std::size_t> places_;  // of the snapshot's jobs
  Places ends_, news_, drifts_;           // what is to be written
  std::vector<SentStatus> early_;         // answered before the epoch observed, and not noted yet
  std::set<JobKey> stale_;                // jobs whose snapshot may be older than their status in the cluster
  std::set<JobKey> tried_;                // jobs of which a status of this epoch was answered
  std::set<JobKey> done_;                 // those of them that have it
  std::map<JobKey, Seconds> pending_;     // since when the cluster does not have its status, or the last try
  std::map<JobKey, Seconds> answered_;    // when a write of its status last succeeded or failed
  RetryTimes retries_;
  std::vector<StatusFailure> failures_;
  std::optional<TokenBucket> driftsAllowed_;
  StatusSender sender_;  // the last member: it ends first
};

}  // namespace slaq::loop
