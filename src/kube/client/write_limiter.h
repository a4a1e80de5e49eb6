// How many writes a second are sent: fewer once the server says that they are too many (429, its priority and
// fairness), and more again as time goes by without.
#pragma once

#include <mutex>

#include "base/units.h"

namespace slaq::kube::client {

// Any thread may call it. Times are on one monotonic clock.
class WriteLimiter {
 public:
  static constexpr double kMostPerSecond = 1000;  // at this rate there is no limit
  // Whoever sends fewer is not the cause of what the server refuses.
  static constexpr double kLeastPerSecond = 10;

  // Takes the next place in the row. Returns how long to wait until the write may be sent; 0 as long as none
  // was refused.
  Seconds take(Seconds now);
  // The server has refused a write as one too many. Those that it refuses within a second count once.
  void refused(Seconds now);

  double perSecond() const;

 private:
  mutable std::mutex mutex_;
  double perSecond_ = kMostPerSecond;
  Seconds next_{0};  // when the next write may be sent
  // How many were sent in the second that began then, and in the one before it.
  Seconds second_{0};
  int sent_ = 0;
  int sentBefore_ = 0;
  Seconds slowed_{-1};  // when the rate fell last,
  Seconds grown_{0};    // and when it grew last
};

}  // namespace slaq::kube::client
