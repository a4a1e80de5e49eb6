// Counts the iterations of a training from what its lines say of epochs and steps.
#pragma once

#include <optional>

#include "report/output/named_numbers.h"

namespace slaq::report {

// The numbers of a line that say how far the training is.
struct Position {
  std::optional<NamedNumber> epoch;  // of this line, or of the newest one that had any
  std::optional<NamedNumber> step;
  std::optional<NamedNumber> part;  // "12/32" without a name
  bool isBar = false;
};

// Of one name: lines of an evaluation count by themselves.
class IterationCounter {
 public:
  // Returns the number of iterations that are done. It is empty where a progress bar is in the midst of an
  // epoch, and NaN where nothing counts.
  std::optional<double> at(const Position& position);

 private:
  double count(const NamedNumber& step, const std::optional<NamedNumber>& epoch);

  std::optional<double> countsFrom_;  // the first number that counted
  bool countsParts_ = false;          // of an epoch
  bool hasFractions_ = false;         // epochs are told in fractions, and count no iterations
  double lastStep_ = 0;               // in its epoch, if steps begin anew in each
  double stepsBefore_ = 0;            // of the epochs before
  double stepsEpoch_ = 0;             // the epoch of the last step
};

}  // namespace slaq::report
