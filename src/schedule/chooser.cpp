#include "schedule/chooser.h"

#include <cmath>

namespace slaq {
namespace {

// A change in place by a smaller part of what the job has is none.
constexpr double kSmall = 0.1;

// The horizon is looked at so many times.
constexpr int kLooks = 3;

}  // namespace

Chooser::Chooser(const Candidate& candidate, std::int32_t held, Seconds horizon)
    : candidate_(&candidate),
      held_(held),
      horizon_(horizon.count()),
      prospect_(candidate, inCores(candidate.cores(candidate.max)) * horizon.count()),
      ofKept_(gain(kept())) {
  more_.range = {runs() ? kept() + 1 : candidate.min, candidate.max};
  fewer_.range = {candidate.min, kept() - 1};
  more_.units = more_.range.from;
  fewer_.units = fewer_.range.to;
}

double Chooser::gain(std::int32_t units) const {
  const bool grows = runs() && units > held_;
  const bool changes = runs() && units != held_;
  const double pause = !changes ? 0 : grows ? candidate_->growPause : candidate_->shrinkPause;
  const double after = inCores(candidate_->cores(units));
  double sum = 0;
  for (int look = 1; look <= kLooks; ++look) {
    const double time = horizon_ * look / kLooks;
    const double still = std::min(time, pause);
    sum += prospect_.worth(after * (time - still));
  }
  return sum / kLooks;
}

std::int32_t Chooser::choose(double price) {
  if (!runs()) {
    look(more_, price);
    return more_.units;
  }
  std::int32_t chosen = kept();
  double most = (1 + kMargin) * ofKept_ - costOf(chosen, price);
  for (Side* side : {&more_, &fewer_}) {
    if (side->isEmpty()) continue;
    look(*side, price);
    const double profit = side->gain - costOf(side->units, price);
    if (isTooSmall(side->units) || !(profit > most)) continue;
    most = profit;
    chosen = side->units;
  }
  return chosen;
}

void Chooser::narrow(bool isEnough) {
  for (Side* side : {&more_, &fewer_}) {
    if (!side->isEmpty()) (isEnough ? side->range.from : side->range.to) = side->units;
  }
}

double Chooser::costOf(std::int32_t units, double price) const {
  return price * inCores(candidate_->cores(units)) * horizon_;
}

// One unit more gains more than it costs.
bool Chooser::isMoreWorth(std::int32_t units, double price) const {
  return gain(units + 1) - gain(units) > price * inCores(candidate_->perUnit) * horizon_;
}

bool Chooser::isTooSmall(std::int32_t units) const {
  return candidate_->inPlace && std::abs(inCores(candidate_->perUnit * (units - held_))) <
                                    kSmall * inCores(candidate_->cores(held_));
}

// On one side of what is held the profit rises and then falls.
void Chooser::look(Side& side, double price) const {
  Range range = near(side, price);
  while (range.from < range.to) {
    const std::int32_t middle = range.from + (range.to - range.from) / 2;
    if (isMoreWorth(middle, price)) {
      range.from = middle + 1;
    } else {
      range.to = middle;
    }
  }
  if (!side.isKnown || side.units != range.from) side.gain = gain(range.from);
  side.units = range.from;
  side.isKnown = true;
}

// In growing steps from the last best one: prices that are tried one after the other are alike.
Chooser::Range Chooser::near(const Side& side, double price) const {
  const auto [first, last] = side.range;
  const std::int32_t start = std::clamp(side.units, first, last);
  const bool rises = start < last && isMoreWorth(start, price);
  return rises ? upFrom(start, last, price) : downFrom(start, first, price);
}

// More than so many are worth it.
Chooser::Range Chooser::upFrom(std::int32_t units, std::int32_t last, double price) const {
  for (std::int32_t step = 1;; step *= 2) {
    const std::int32_t next = std::min(units + step, last);
    if (next == last || !isMoreWorth(next, price)) return {units + 1, next};
    units = next;
  }
}

// So many are enough.
Chooser::Range Chooser::downFrom(std::int32_t units, std::int32_t first, double price) const {
  for (std::int32_t step = 1; units > first; step *= 2) {
    const std::int32_t next = std::max(units - step, first);
    if (isMoreWorth(next, price)) return {next + 1, units};
    units = next;
  }
  return {first, first};
}

}  // namespace slaq
