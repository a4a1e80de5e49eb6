// Takes part in the election on a thread of its own and tells at any moment whether this process leads.
#pragma once

#include <atomic>
#include <functional>
#include <stop_token>
#include <string>
#include <thread>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/client/log_throttle.h"
#include "kube/leader/lease.h"

namespace slaq::kube::leader {

// "host_pid_random", different for each start of a program.
std::string makeIdentity();

class Election {
 public:
  // Both are called on the election's thread, with a sentence for the log: `changed` when leading begins or
  // ends, `failed` when a request failed. The same failure is reported at most once a minute.
  // REQUIRES: `api` has no guard on writes and tries once. `api` and `clock` outlive this.
  Election(client::Api& api, client::Target lease, std::string identity, const Clock& clock,
           LeaseTimes times = {}, std::function<void(bool leading, const std::string&)> changed = {},
           std::function<void(const std::string&)> failed = {});
  // Stops without releasing the lease, so that others wait until it expires.
  ~Election() = default;

  // Any thread may ask, right before each write.
  bool leading() const { return clock_.monotonic().count() < leadsUntil_.load(); }

  // Grows when this process takes the lease and others may have led since its last term. Any thread may ask.
  int term() const { return term_.load(); }
  // When that term began, on the monotonic clock: the term() that was asked for before, or a later one.
  Seconds termBegan() const { return Seconds(termBegan_.load()); }

  // Stops and releases the lease, so that another process can lead at once. REQUIRES: the work has stopped.
  void release();

 private:
  void run(std::stop_token stop);
  void take(const LeaseEvent& event);
  LeaseEvent carryOut(const LeaseEffect& effect, std::stop_token stop);
  LeaseEvent read();
  LeaseEvent create(const LeaseRecord& record);
  LeaseEvent update(const LeaseRecord& record, bool acquired);
  LeaseFailed failedBy(const std::string& what, const Error& error);
  std::string body(const LeaseRecord& record, bool acquired, bool isNew) const;

  client::Api& api_;
  client::Target target_;
  const Clock& clock_;
  std::function<void(bool, const std::string&)> changed_;
  std::function<void(const std::string&)> failed_;
  client::LogThrottle throttle_;  // of failed_
  LeaseState state_;
  LeaseEffect next_ = ReadLease{};
  std::atomic<double> leadsUntil_{-1e18};
  std::atomic<double> termBegan_{0};
  std::atomic<int> term_{0};
  std::jthread thread_;  // the last member: it uses all others
};

}  // namespace slaq::kube::leader
