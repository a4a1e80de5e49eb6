#include "simulate/run/progression.h"

#include <algorithm>

namespace slaq::simulate {
namespace {

// A level that is reached but for the rounding of its arithmetic is reached.
constexpr double kRounding = 1e-12;

}  // namespace

double normalizedLoss(double loss, double first, double lowest) {
  return first > lowest ? (loss - lowest) / (first - lowest) : 0.0;
}

Progression::Progression(Seconds arrival, const Trace& trace)
    : arrival_(arrival),
      since_(arrival),
      first_(trace.losses.front()),
      lowest_(std::ranges::min(trace.losses)),
      normalized_(normalizedLoss(first_, first_, lowest_)) {
  note(arrival);
}

void Progression::reach(Seconds time, double loss) {
  integral_ += normalized_ * (time - since_).count();
  since_ = time;
  normalized_ = normalizedLoss(loss, first_, lowest_);
  note(time);
}

void Progression::complete(Seconds time) { completion_ = time - arrival_; }

void Progression::note(Seconds time) {
  for (std::size_t i = 0; i < kReductions.size(); ++i) {
    const double level = 1 - kReductions[i] / 100.0;
    if (!reductions_[i] && normalized_ <= level + kRounding) reductions_[i] = time - arrival_;
  }
}

}  // namespace slaq::simulate
