// The loss and the iteration that a training reports.
#pragma once

#include <string>

namespace slaq::report {

// The loss after so many iterations.
struct Report {
  double iteration = 0;
  double loss = 0;

  bool operator==(const Report&) const = default;
};

// Writes the shortest text that reads back as the same number; "nan" and "inf" for those.
std::string toText(double number);

}  // namespace slaq::report
