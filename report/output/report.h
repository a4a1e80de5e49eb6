// The loss and the iteration that a training reports.
#pragma once

#include <string>

namespace slaq::report {

// The loss after this number of iterations.
struct Report {
  double iteration = 0;
  double loss = 0;

  bool operator==(const Report&) const = default;
};

// Writes the shortest text that reads back as the same number, or "nan" and "inf".
std::string toText(double number);

}  // namespace slaq::report
