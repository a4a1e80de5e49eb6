// Counts the iterations of a training from the epochs and steps in its lines.
#pragma once

#include <optional>

#include "report/output/named_numbers.h"

namespace slaq::report {

// The numbers of a line that show how far the training is.
struct Position {
  std::optional<NamedNumber> epoch;  // of this line, or of the newest line with an epoch
  std::optional<NamedNumber> step;
  std::optional<NamedNumber> part;  // "12/32" without a name
  bool isBar = false;
  bool isBatch = false;  // the step counts the batches of an epoch
};

// Counts for one name, since lines of an evaluation have their own counts.
class IterationCounter {
 public:
  // Returns the number of iterations that are done. It is empty while a progress bar is within an epoch, and
  // NaN where no number counts iterations.
  std::optional<double> at(const Position& position);

 private:
  // Without an epoch, `beginsAnew` says that each epoch counts these steps from the beginning.
  double count(const NamedNumber& step, const std::optional<NamedNumber>& epoch, bool beginsAnew);

  std::optional<double> countsFrom_;  // the first count
  bool countsParts_ = false;          // parts of an epoch are counted
  bool hasFractions_ = false;         // epochs are printed as fractions, and count no iterations
  double lastStep_ = 0;               // within its epoch, if each epoch counts its steps from the beginning
  double stepsBefore_ = 0;            // in the earlier epochs
  double stepsEpoch_ = 0;             // the epoch of the last step
};

}  // namespace slaq::report
