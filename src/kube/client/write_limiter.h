// Limits how many writes are sent in a second. The rate falls when the server says that they are too many
// (429, its priority and fairness), and rises again as time goes by without that.
#pragma once

#include <mutex>

#include "base/units.h"

namespace slaq::kube::client {

// Any thread may call it. Times are on one monotonic clock.
class WriteLimiter {
 public:
  static constexpr double kMostPerSecond = 1000;  // at this rate there is no limit
  // A client that sends fewer is not the cause of the server's refusals.
  static constexpr double kLeastPerSecond = 10;

  // Takes the next place in the queue. Returns how long to wait until the write may be sent; 0 while no write
  // was refused.
  Seconds take(Seconds now);
  // Notes that the server refused a write as one too many. Refusals within a second count once.
  void refused(Seconds now);

  double perSecond() const;

 private:
  mutable std::mutex mutex_;
  double perSecond_ = kMostPerSecond;
  Seconds next_{0};  // when the next write may be sent
  // The number of writes sent in the second that began at `second_`, and in the one before.
  Seconds second_{0};
  int sent_ = 0;
  int sentBefore_ = 0;
  Seconds slowed_{-1};  // when the rate fell last,
  Seconds grown_{0};    // and when it grew last
};

}  // namespace slaq::kube::client
