#include "report/output/iteration_counter.h"

#include <cmath>

namespace slaq::report {

std::optional<double> IterationCounter::at(const Position& position) {
  const auto& [epoch, step, part, isBar, isBatch] = position;
  hasFractions_ = hasFractions_ || (epoch && std::floor(epoch->value) != epoch->value);
  if (step) return count(*step, epoch, isBatch);
  const bool isWholeEpoch = part && epoch && part->value == *part->of && !countsParts_;
  if (part && epoch && !isWholeEpoch && isBar && !countsParts_) return std::nullopt;
  if (part && !isWholeEpoch && (isBar || epoch)) {
    countsParts_ = true;
    return count(*part, epoch, isBar);
  }
  return epoch && !hasFractions_ ? count(*epoch, {}, false) : std::nan("");
}

// A program that counts from 0 has done one iteration more than it prints. Where each epoch counts its steps
// from the beginning, the steps of the epochs before are added. A bar is drawn several times for one step,
// and parallel programs may draw theirs in turn, so only a fall to half of it begins the next epoch.
double IterationCounter::count(const NamedNumber& step, const std::optional<NamedNumber>& epoch,
                               bool beginsAnew) {
  const bool isNextEpoch = (epoch && epoch->value > stepsEpoch_ && step.value <= lastStep_) ||
                           (beginsAnew && step.value < lastStep_ && step.value <= lastStep_ / 2);
  if (isNextEpoch) stepsBefore_ += countsFrom_ == 0.0 && !epoch ? lastStep_ + 1 : lastStep_;
  if (epoch) stepsEpoch_ = epoch->value;
  lastStep_ = step.value;
  const double count = stepsBefore_ + step.value;
  if (!countsFrom_) countsFrom_ = count;
  return *countsFrom_ == 0 ? count + 1 : count;
}

}  // namespace slaq::report
