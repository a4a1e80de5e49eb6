// Sends statuses to the cluster in the order in which they are given. Where the cluster takes several writes
// at a time, the sender's own threads do it, so that no epoch waits for them. Otherwise the thread that calls
// finish() does it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "ports/cluster.h"

namespace slaq::loop {

// An epoch makes no more calls to the cluster after this many without an answer, because each may take long.
inline constexpr int kMostSilences = 3;

bool isSilence(const Result<void>& result);

struct StatusToSend {
  JobKey job;
  std::string uid;
  JobStatus before;  // the status in the cluster, as far as known
  JobStatus next;
  bool recordsEvents = true;  // record events about the changes once they are written
};

struct SentStatus {
  JobKey job;
  std::string uid;
  bool isOfEpoch = false;  // it was given since beginEpoch()
  Result<void> result;
  Seconds took{0};
};

// One thread owns it. The sender's own threads call the cluster too, but never two at the same time for one
// job.
class StatusSender {
 public:
  // Both outlive this.
  StatusSender(Cluster& cluster, const Clock& clock);
  // Waits for the writes that are under way, and drops those that have not begun.
  ~StatusSender();

  // Begins an epoch: the count of calls without an answer starts again and covers only lists given from now
  // on.
  void beginEpoch();
  // Begins none of the remaining writes.
  void stop() { replace({}); }
  // Replaces all writes that have not begun. The sender's threads begin the new ones after `pause`.
  void replace(std::vector<StatusToSend> statuses, Seconds pause = Seconds(0));
  // Returns once every status of the last replace() is answered, or dropped because calls went unanswered. It
  // polls `mayGoOn`; once that returns false, nothing more begins and it returns. The calling thread sends
  // too, so that hanging threads hold nothing up.
  void finish(const std::function<bool()>& mayGoOn);
  // True if the sender has threads, so that it sends without finish().
  bool sendsByItself() const { return !threads_.empty(); }

  // The statuses that were answered since the last call, in their order.
  std::vector<SentStatus> takeSent();
  // The jobs with a status that waits for its answer.
  std::set<JobKey> jobsUnderWay() const;

 private:
  void run(std::stop_token stop);
  // The first status to send whose job has no other status under way.
  std::deque<StatusToSend>::iterator next();
  void send(std::deque<StatusToSend>::iterator status, std::unique_lock<std::mutex>& lock);
  bool isFinished() const;

  Cluster& cluster_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<StatusToSend> waiting_;
  Seconds begin_{0};                          // the threads begin nothing before it, on the monotonic clock
  std::uint64_t list_ = 0;                    // the number of the last list that replace() was given
  std::uint64_t firstOfEpoch_ = 1;            // the number of the first list of this epoch
  std::map<JobKey, std::uint64_t> underWay_;  // jobs with a status under way, and the number of its list
  std::vector<SentStatus> sent_;
  int silences_ = 0;                   // calls of this epoch without an answer
  std::vector<std::jthread> threads_;  // the last member: they use all others
};

}  // namespace slaq::loop
