// Sends statuses to the cluster in the order in which they are given: on threads of its own where the cluster
// takes several writes at a time, so that no epoch waits for them; else on the thread that asks for it.
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

// After this many calls without an answer the cluster is not called again in an epoch: each may take long.
inline constexpr int kMostSilences = 3;

bool isSilence(const Result<void>& result);

struct StatusToSend {
  JobKey job;
  std::string uid;
  JobStatus before;  // what the cluster has, as far as is known
  JobStatus next;
  bool recordsEvents = true;  // events tell of what changed, once it is written
};

struct SentStatus {
  JobKey job;
  std::string uid;
  bool isOfEpoch = false;  // it was given since beginEpoch()
  Result<void> result;
  Seconds took{0};
};

// One thread owns it. The cluster is called on others too, for no job by two at the same time.
class StatusSender {
 public:
  // Both outlive this.
  StatusSender(Cluster& cluster, const Clock& clock);
  // Waits for the writes that are under way. What was not begun is left.
  ~StatusSender();

  // An epoch begins: calls without an answer are counted anew, and only those of lists given from now on.
  void beginEpoch();
  // Begins nothing more of what it was given.
  void stop() { replace({}); }
  // Takes the place of all that was not begun. The threads begin after this pause.
  void replace(std::vector<StatusToSend> statuses, Seconds pause = Seconds(0));
  // Returns once all that replace() gave are answered, or given up for want of answers, or once `mayGoOn`,
  // which is asked again and again, says no: then nothing more is begun. The calling thread sends too, so
  // that threads that hang hold nothing up.
  void finish(const std::function<bool()>& mayGoOn);
  // Whether there are threads, so that the statuses are sent without finish().
  bool sendsByItself() const { return !threads_.empty(); }

  // The statuses that were answered since the last call, in their order.
  std::vector<SentStatus> takeSent();
  // The jobs of which a status waits for its answer.
  std::set<JobKey> jobsUnderWay() const;

 private:
  void run(std::stop_token stop);
  // The first status to send: one of a job of which no other is under way.
  std::deque<StatusToSend>::iterator next();
  void send(std::deque<StatusToSend>::iterator status, std::unique_lock<std::mutex>& lock);
  bool isFinished() const;

  Cluster& cluster_;
  const Clock& clock_;
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<StatusToSend> waiting_;
  Seconds begin_{0};                          // before it, on the monotonic clock, the threads begin nothing
  std::uint64_t list_ = 0;                    // the number of the list that replace() was given last
  std::uint64_t firstOfEpoch_ = 1;            // the number of the first list of this epoch
  std::map<JobKey, std::uint64_t> underWay_;  // jobs of which a status waits for its answer, and its list
  std::vector<SentStatus> sent_;
  int silences_ = 0;                   // calls of this epoch without an answer
  std::vector<std::jthread> threads_;  // the last member: they use all others
};

}  // namespace slaq::loop
