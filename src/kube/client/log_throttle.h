// Keeps repeated failures from filling the log.
#pragma once

#include <string>

#include "base/clock.h"

namespace slaq::kube::client {

// One thread owns it.
class LogThrottle {
 public:
  // `what` is the sentence itself, or a text that stands for similar sentences. True unless it was the last
  // one that was let through, less than a minute ago.
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
