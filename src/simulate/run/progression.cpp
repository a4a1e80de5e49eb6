#include "simulate/run/progression.h"

#include <algorithm>

#include "forecast/series/loss_series.h"

namespace slaq::simulate {
namespace {

// A level counts as reached if only rounding errors are missing.
constexpr double kRounding = 1e-12;

}  // namespace

double normalizedLoss(double loss, double first, double lowest) { return (loss - lowest) / (first - lowest); }

bool falls(const Trace& trace) {
  forecast::LossSeries series;
  for (std::size_t k = 0; k < trace.losses.size(); ++k)
    series.add(Iterations(static_cast<double>(k)), Loss(trace.losses[k]));
  return series.change() == forecast::LossSeries::Change::Fallen;
}

Progression::Progression(Seconds arrival, const Trace& trace)
    : arrival_(arrival),
      since_(arrival),
      falls_(simulate::falls(trace)),
      first_(trace.losses.front()),
      lowest_(std::ranges::min(trace.losses)),
      normalized_(falls_ ? 1 : 0) {
  note(arrival);
}

void Progression::reach(Seconds time, double loss) {
  integral_ += normalized_ * (time - since_).count();
  since_ = time;
  if (!falls_) return;
  normalized_ = normalizedLoss(loss, first_, lowest_);
  note(time);
}

void Progression::complete(Seconds time) { completion_ = time - arrival_; }

void Progression::note(Seconds time) {
  if (!falls_) return;
  for (std::size_t i = 0; i < kReductions.size(); ++i) {
    const double level = 1 - kReductions[i] / 100.0;
    if (!reductions_[i] && normalized_ <= level + kRounding) reductions_[i] = time - arrival_;
  }
}

}  // namespace slaq::simulate
