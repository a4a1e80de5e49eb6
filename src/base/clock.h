// Time as a port, so that tests and simulations own it.
#pragma once

#include "base/units.h"

namespace slaq {

class Clock {
 public:
  virtual ~Clock() = default;
  // Wall time. It may jump; use it to compare with times that others wrote.
  virtual Time now() const = 0;
  // Seconds since some fixed point, never going back. Use it to measure durations.
  virtual Seconds monotonic() const = 0;
};

class SystemClock final : public Clock {
 public:
  Time now() const override { return std::chrono::system_clock::now(); }
  Seconds monotonic() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
};

}  // namespace slaq
