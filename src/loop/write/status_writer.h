// Writes the statuses that changed. Ends of jobs come first, then the statuses that have waited longest, then
// some of those in which only numbers drifted. A status that cannot be written holds up no other.
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

  // Called before an epoch observes the cluster. The statuses of the epoch before are still being written.
  void beginObserving();

  // Takes the statuses that the epoch wants written, in the order of the snapshot's jobs. `snapshot` and
  // `statuses` outlive the call of writeOthers() that follows. A job whose status was written since
  // beginObserving() waits for the next epoch, because its snapshot may be older than that status.
  void begin(const scheduler::Snapshot& snapshot, const std::vector<JobStatus>& statuses,
             const scheduler::Settings& settings);

  // Writes the statuses of jobs that have ended, while `mayGoOn` returns true. It does so before their pods
  // are stopped, so that no other controller starts them again.
  void writeEnds(const std::function<bool()>& mayGoOn);
  // True if the status in the cluster says that the job has ended. REQUIRES: the job is in the snapshot.
  bool isEndWritten(const JobKey& job) const;
  // Where the cluster takes several writes at a time, starts to write the other statuses after `pause`, while
  // the caller does something else that may take long.
  void writeOthersAfter(Seconds pause);
  // Writes the other statuses, and the ends for which there was no time. Where the cluster takes several
  // writes at a time, this returns at once: writing goes on until the next epoch's writeEnds(), whatever
  // `mayGoOn` returns.
  void writeOthers(const std::function<bool()>& mayGoOn);
  // Begins no more writes.
  void stop() { sender_.stop(); }

  // The writes that failed, as far as the last call of the functions above knew.
  const std::vector<StatusFailure>& failures() const { return failures_; }

 private:
  using Places = std::vector<std::size_t>;  // indices of jobs in the snapshot

  void retain(const scheduler::Snapshot& snapshot);
  // Gives the sender all statuses that are to be written and were not tried yet.
  void sendOthers(Seconds pause);
  void sortByUrgency();
  void sortByAge(Places& jobs) const;
  // True if numbers of this job that only drifted may be written again.
  bool isDue(const JobKey& job, Seconds now) const;
  // Reduces drifts_ to the number that may be written now, those that have waited longest.
  void thinDrifts();
  std::vector<StatusToSend> toSend(const Places& jobs) const;
  // Takes note of the writes that are over.
  void note(const std::vector<SentStatus>& sent);
  // In an outage no call was answered, which is not the job's fault.
  void noteFailure(const JobView& view, const SentStatus& sent, bool isOutage);
  const JobView& viewOf(std::size_t job) const { return *snapshot_->jobs[job].view; }
  const JobKey& keyOf(std::size_t job) const { return viewOf(job).job.key; }

  const Clock& clock_;
  const scheduler::Snapshot* snapshot_ = nullptr;
  const std::vector<JobStatus>* statuses_ = nullptr;
  Seconds epoch_{1};
  bool recordsEvents_ = true;

  std::map<JobKey, std::size_t> places_;  // indices of the snapshot's jobs
  Places ends_, news_, drifts_;           // jobs whose statuses are to be written
  std::vector<SentStatus> early_;         // answered before the epoch observed the cluster; not noted yet
  std::set<JobKey> stale_;                // jobs whose snapshot may be older than their status in the cluster
  std::set<JobKey> tried_;                // jobs with an answered status of this epoch
  std::set<JobKey> done_;                 // the jobs among them whose write succeeded
  std::map<JobKey, Seconds> pending_;     // since when a status waits, or its last failed try
  std::map<JobKey, Seconds> answered_;    // when a write of its status last succeeded or failed
  RetryTimes retries_;
  std::vector<StatusFailure> failures_;
  std::optional<TokenBucket> driftsAllowed_;
  StatusSender sender_;  // the last member: it ends first
};

}  // namespace slaq::loop
