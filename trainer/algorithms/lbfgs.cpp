#include "trainer/algorithms/lbfgs.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace slaq::trainer::algorithms {
namespace {

constexpr double kSufficient = 1e-4;  // Armijo's share of the linear decrease
constexpr double kShortest = 1e-10;   // of a full step
constexpr double kCurvature = 1e-12;  // pairs with less are noise

}  // namespace

Lbfgs::Verdict Lbfgs::observe(double value, const data::Vector& gradient) {
  if (current_) {
    const double slope = current_->gradient.dot(direction_);
    const bool lower = value <= current_->value + kSufficient * length_ * slope;  // false for NaN
    if (!lower) return shorten(value);
  }
  Evaluated next{trial_, value, gradient};
  if (current_) remember(next);
  current_ = std::move(next);
  if (gradient.squaredNorm() == 0) return Verdict::Minimum;
  direction_ = descent();
  // Without a memory nothing tells how far to go: start within a unit step.
  length_ = pairs_.empty() ? std::min(1.0, 1.0 / gradient.norm()) : 1.0;
  tryStep();
  return Verdict::Accepted;
}

// To the minimum of the parabola through what is known, kept within a tenth and a half.
Lbfgs::Verdict Lbfgs::shorten(double value) {
  const double linear = length_ * current_->gradient.dot(direction_);
  const double bend = value - current_->value - linear;
  const double factor = -linear / (2 * bend);
  length_ *= std::isfinite(factor) ? std::clamp(factor, 0.1, 0.5) : 0.1;
  if (length_ < kShortest) return Verdict::Stuck;
  tryStep();
  return Verdict::Rejected;
}

void Lbfgs::remember(const Evaluated& next) {
  Pair pair{next.point - current_->point, next.gradient - current_->gradient, 0};
  const double product = pair.step.dot(pair.change);
  if (product <= kCurvature * pair.step.norm() * pair.change.norm()) return;
  pair.inverse = 1 / product;
  pairs_.push_back(std::move(pair));
  if (pairs_.size() > memory_) pairs_.pop_front();
}

// The two-loop recursion: minus the inverse Hessian's estimate times the gradient.
data::Vector Lbfgs::descent() const {
  data::Vector direction = -current_->gradient;
  if (pairs_.empty()) return direction;
  std::vector<double> weights(pairs_.size());
  for (std::size_t i = pairs_.size(); i-- > 0;) {
    weights[i] = pairs_[i].inverse * pairs_[i].step.dot(direction);
    direction -= weights[i] * pairs_[i].change;
  }
  direction /= pairs_.back().inverse * pairs_.back().change.squaredNorm();
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const double correction = pairs_[i].inverse * pairs_[i].change.dot(direction);
    direction += (weights[i] - correction) * pairs_[i].step;
  }
  return direction;
}

void Lbfgs::archive(io::Archive& fields) {
  bool begun = current_.has_value();
  fields("begun", begun);
  if (begun && !current_) current_ = Evaluated{};
  if (begun) {
    fields("point", current_->point), fields("value", current_->value);
    fields("gradient", current_->gradient);
  }
  fields.list("pairs", pairs_, [](io::Archive& each, Pair& pair) {
    each("step", pair.step), each("change", pair.change), each("inverse", pair.inverse);
  });
  fields("direction", direction_), fields("length", length_), fields("trial", trial_);
}

void Lbfgs::tryStep() { trial_ = current_->point + length_ * direction_; }

Outcome outcomeOf(Lbfgs::Verdict verdict, double loss) {
  switch (verdict) {
    case Lbfgs::Verdict::Accepted:
      return {loss, false};
    case Lbfgs::Verdict::Rejected:
      return {std::nullopt, false};
    case Lbfgs::Verdict::Minimum:
      return {loss, true};
    case Lbfgs::Verdict::Stuck:
      break;
  }
  return {std::nullopt, true};
}

}  // namespace slaq::trainer::algorithms
