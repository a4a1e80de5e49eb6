#include "scheduler/runtime/learned_pauses.h"

#include <algorithm>
#include <cmath>

#include "scheduler/constants.h"

namespace slaq::scheduler {

void LearnedPauses::resized(Time time, Iterations position, double speed, Cores cores, bool grew,
                            Seconds lost) {
  if (!(speed > 0)) return change_.reset();
  const bool overlaps = change_ && change_->advances == 0;
  change_ = Change{.time = time,
                   .position = position.value(),
                   .speed = speed,
                   .cores = inCores(cores),
                   .grew = grew,
                   .overlaps = overlaps,
                   .expectedLost = lost.count() * speed,
                   .iteration = std::floor(position.value())};
}

void LearnedPauses::restore(std::optional<Seconds> grow, std::optional<Seconds> shrink,
                            std::optional<Seconds> lost) {
  // Each value is a median, so it stands for two measurements at least.
  for (int time = 0; time < 2; ++time) {
    if (grow) grow_.add(*grow);
    if (shrink) shrink_.add(*shrink);
    if (lost) lost_.add(*lost);
  }
}

void LearnedPauses::sample(Time time, Iterations iteration, const RuntimeModel& runtime) {
  const Seconds since = sampled_ ? time - *sampled_ : Seconds(0);
  sampled_ = time;
  if (!change_ || time <= change_->time) return;
  Change& change = *change_;
  if (iteration.value() > change.iteration) ++change.advances;
  if (iteration.value() < change.iteration && change.advances == 0)
    change.resumed = change.iteration = iteration.value();
  change.iteration = std::max(change.iteration, iteration.value());
  const auto speed = runtime.speed();
  const bool isWellSeen =
      change.advances > 0 && speed && speed->at(change.cores) * kWellSeen * since.count() < 1;
  if (change.advances < kFewestAdvances && !isWellSeen) return;
  measure(change, time, runtime);
  change_.reset();
}

void LearnedPauses::measure(const Change& change, Time time, const RuntimeModel& runtime) {
  const auto position = runtime.iterationAt(time, Seconds(0));
  const auto speed = runtime.speed();
  if (!position || !speed || !(change.cores > 0) || change.overlaps) return;
  const Outcome outcome{
      .took = time - change.time, .position = position->value(), .speed = speed->at(change.cores)};
  const Cost cost = change.resumed ? costOfStepBack(change, outcome) : costOfGoingOn(change, outcome);
  if (cost.pause) (change.grew ? grow_ : shrink_).add(*cost.pause);
  if (cost.lost) lost_.add(*cost.lost);
  new_.push_back(cost);
}

// A loss of work within an iteration is not visible. If the change took much less time than the begun part of
// the iteration, the program went on within it. The time beyond the usual pause was then lost work. Otherwise
// all of the time may as well have been a pause.
LearnedPauses::Cost LearnedPauses::costOfGoingOn(const Change& change, const Outcome& outcome) const {
  const double begun = change.position - std::floor(change.position);
  const double done = outcome.position - change.position + std::min(change.expectedLost, begun);
  const Seconds pause = outcome.took - Seconds(done / outcome.speed);
  Cost cost{.grew = change.grew, .pause = std::clamp(pause, -kLongestPause, kLongestPause)};
  const Seconds known = (change.grew ? grow() : shrink()).value_or(Seconds(0));
  const Seconds atStake(begun / change.speed);
  if (Seconds(1 / change.speed) < kShortIteration) {
    cost.lost = Seconds(0);
  } else if (atStake > kShortIteration && pause < kBegunAnew * atStake) {
    cost.lost = std::max(Seconds(0), pause - known);
  }
  return cost;
}

// The program went on from somewhere within the iteration `resumed`. If the pause was the known one, the time
// since the change gives that place. If the place is beyond that iteration, the pause was a different one.
LearnedPauses::Cost LearnedPauses::costOfStepBack(const Change& change, const Outcome& outcome) const {
  const Seconds known = (change.grew ? grow() : shrink()).value_or(Seconds(0));
  const double by = outcome.position - (outcome.took - known).count() * outcome.speed;
  const double from = std::clamp(by, *change.resumed, *change.resumed + 1);
  const Seconds pause = outcome.took - Seconds((outcome.position - from) / outcome.speed);
  Cost cost{.grew = change.grew};
  if (from != by) cost.pause = std::clamp(pause, -kLongestPause, kLongestPause);
  cost.lost = std::clamp(Seconds((change.position - from) / change.speed), Seconds(0), kLongestPause);
  return cost;
}

}  // namespace slaq::scheduler
