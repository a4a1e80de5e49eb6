#include "scheduler/runtime/learned_pauses.h"

#include <algorithm>

namespace slaq::scheduler {
namespace {

// The first new iteration says little: nobody saw when it ended.
constexpr int kFewestAdvances = 3;
// The position within an iteration is a guess, so that a single pause may come out too short, even below 0,
// as well as too long.
constexpr Seconds kLongest{600};

}  // namespace

void LearnedPauses::resized(Time time, Iterations position, Cores cores, bool grew) {
  const bool overlaps = change_ && change_->advances == 0;
  change_ = Change{time, position.value(), inCores(cores), grew, overlaps, position.value()};
}

void LearnedPauses::sample(Time time, Iterations iteration, const RuntimeModel& runtime) {
  if (!change_ || time <= change_->time) return;
  Change& change = *change_;
  if (iteration.value() > change.iteration) ++change.advances;
  change.iteration = std::max(change.iteration, iteration.value());
  if (change.advances < kFewestAdvances) return;
  const auto position = runtime.iterationAt(time, Seconds(0));
  const auto speed = runtime.speed();
  if (position && speed && change.cores > 0 && !change.overlaps) {
    const double worked = (position->value() - change.position) / speed->at(change.cores);
    const Seconds pause = std::clamp(time - change.time - Seconds(worked), -kLongest, kLongest);
    (change.grew ? grow_ : shrink_).add(pause);
    new_.push_back({change.grew, pause});
  }
  change_.reset();
}

}  // namespace slaq::scheduler
