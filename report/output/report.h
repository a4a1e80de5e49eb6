// What a training reports of itself.
#pragma once

#include <string>

namespace slaq::report {

// The loss after so many iterations.
struct Report {
  double iteration = 0;
  double loss = 0;

  bool operator==(const Report&) const = default;
};

// As few digits as give the number back; "nan" and "inf" where it is none.
std::string toText(double number);

}  // namespace slaq::report
