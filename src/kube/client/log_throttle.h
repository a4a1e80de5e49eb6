// Keeps what fails again and again from filling the log.
#pragma once

#include <string>

#include "base/clock.h"

namespace slaq::kube::client {

// One thread owns it.
class LogThrottle {
 public:
  // `what` is the sentence itself, or what stands for sentences that are alike. True where it is not the last
  // one that was let through, and for the same one after a minute.
  bool isNews(const std::string& what, Seconds now) {
    constexpr Seconds kTellAgain{60};
    if (what == told_ && now - toldAt_ < kTellAgain) return false;
    told_ = what;
    toldAt_ = now;
    return true;
  }

 private:
  std::string told_;
  Seconds toldAt_{0};
};

}  // namespace slaq::kube::client
