// Look-ahead on the true curves, which only a simulation knows. No forecast can beat it by much: it is the
// yardstick of the evaluation.
#pragma once

#include "scheduler/policies/look_ahead.h"

namespace slaq::scheduler {

class Oracle : public LookAhead {
 public:
  std::string_view name() const override { return "Oracle"; }
  bool needsKnownFuture() const override { return true; }
  double trustedShare(std::optional<double> backTestError) const override;
};

}  // namespace slaq::scheduler
