// What a training reports of itself.
#pragma once

namespace slaq::report {

// The loss after so many iterations.
struct Report {
  double iteration = 0;
  double loss = 0;

  bool operator==(const Report&) const = default;
};

}  // namespace slaq::report
