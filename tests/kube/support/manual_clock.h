// A clock that a test moves on. It begins at 2026-01-31T12:00:00Z.
#pragma once

#include "base/clock.h"

namespace slaq::kube {

class ManualClock final : public Clock {
 public:
  Time now() const override { return Time(Seconds(1769860800)) + elapsed_; }
  Seconds monotonic() const override { return elapsed_; }
  void advance(Seconds time) { elapsed_ += time; }

 private:
  Seconds elapsed_{0};
};

}  // namespace slaq::kube
