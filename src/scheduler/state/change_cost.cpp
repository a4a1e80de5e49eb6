#include "scheduler/state/change_cost.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace slaq::scheduler {
namespace {

using Guess = std::optional<Seconds>;

Guess firstKnown(std::initializer_list<Guess> guesses) {
  const auto known = std::ranges::find_if(guesses, [](const Guess& each) { return each.has_value(); });
  return known == guesses.end() ? std::nullopt : *known;
}

// A program that makes a checkpoint after each iteration loses half an iteration on average.
Guess guessedLost(const JobHistory& history, const RestartSpec& restart) {
  if (restart.checkpointed == false) return Seconds(0);
  const auto speed = history.runtime.speed();
  if (!restart.checkpointed || !speed || history.pods.running <= Cores()) return std::nullopt;
  return Seconds(0.5 / speed->at(inCores(history.pods.running)));
}

// The work that a program with a checkpoint after each iteration would lose by a change now.
Seconds sinceLastIteration(const JobHistory& history) {
  const auto iteration = history.runtime.iterationAt(history.pods.observed, Seconds(0));
  const auto speed = history.runtime.speed();
  if (!iteration || !speed || history.pods.running <= Cores()) return Seconds(0);
  const double begun = iteration->value() - std::floor(iteration->value());
  return Seconds(begun / speed->at(inCores(history.pods.running)));
}

}  // namespace

std::optional<Seconds> lostWorkOf(const JobHistory& history, const RestartSpec& restart) {
  const ExpectedPauses& expected = history.expected.pauses;
  return firstKnown(
      {history.pauses.lost(), expected.ofKind.lost, guessedLost(history, restart), expected.ofAll.lost});
}

ChangeCost changeCostOf(const JobHistory& history, const WorkersSpec& workers,
                        const ResizePrice& configured) {
  const ExpectedPauses& expected = history.expected.pauses;
  const Guess guessed = workers.restart.pause;
  const Guess grow = firstKnown({history.pauses.grow(), expected.ofKind.grow, guessed, expected.ofAll.grow});
  const Guess shrink =
      firstKnown({history.pauses.shrink(), expected.ofKind.shrink, guessed, expected.ofAll.shrink});
  const Guess lost = lostWorkOf(history, workers.restart);
  return {.growPause = grow.value_or(configured.grow),
          .shrinkPause = shrink.value_or(configured.shrink),
          .lost = lost ? *lost : sinceLastIteration(history),
          .isLostKnown = lost.has_value()};
}

}  // namespace slaq::scheduler
