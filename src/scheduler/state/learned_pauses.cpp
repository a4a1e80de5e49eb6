#include "scheduler/state/learned_pauses.h"

#include <algorithm>

namespace slaq::scheduler {
namespace {

// The first new iteration says little: nobody saw when it ended.
constexpr int kFewestAdvances = 3;
constexpr std::size_t kFewestPauses = 2;
constexpr Seconds kLongest{60};

}  // namespace

void LearnedPauses::resized(Time time, Iterations position, Cores cores, bool grew) {
  change_ = Change{time, position.value(), inCores(cores), grew, position.value()};
}

void LearnedPauses::sample(Time time, Iterations iteration, const RuntimeModel& runtime) {
  if (!change_ || time <= change_->time) return;
  Change& change = *change_;
  if (iteration.value() > change.iteration) ++change.advances;
  change.iteration = std::max(change.iteration, iteration.value());
  if (change.advances < kFewestAdvances) return;
  const auto position = runtime.iterationAt(time, Seconds(0));
  const auto cost = runtime.coreSecondsPerIteration();
  if (position && cost && change.cores > 0) {
    const double worked = (position->value() - change.position) * *cost / change.cores;
    (change.grew ? grow_ : shrink_)
        .add(std::clamp(time - change.time - Seconds(worked), Seconds(0), kLongest));
  }
  change_.reset();
}

std::optional<Seconds> LearnedPauses::Measured::median() const {
  if (count < kFewestPauses) return std::nullopt;
  auto sorted = last;
  const auto kept = static_cast<std::ptrdiff_t>(std::min(count, sorted.size()));
  std::sort(sorted.begin(), sorted.begin() + kept);
  return sorted[static_cast<std::size_t>(kept) / 2];
}

}  // namespace slaq::scheduler
