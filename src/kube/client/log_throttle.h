// Keeps what fails again and again from filling the log.
#pragma once

#include <string>

#include "base/clock.h"

namespace slaq::kube::client {

// One thread owns it.
class LogThrottle {
 public:
  // True for a sentence that is not the last one that was let through, and for the same one after a minute.
  bool isNews(const std::string& sentence, Seconds now) {
    constexpr Seconds kTellAgain{60};
    if (sentence == told_ && now - toldAt_ < kTellAgain) return false;
    told_ = sentence;
    toldAt_ = now;
    return true;
  }

 private:
  std::string told_;
  Seconds toldAt_{0};
};

}  // namespace slaq::kube::client
