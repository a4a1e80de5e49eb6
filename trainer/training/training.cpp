#include "trainer/training/training.h"

#include <cmath>
#include <utility>

namespace slaq::trainer::training {
namespace {

// One small step may be chance, five in a row are not.
constexpr int kQuietIterations = 5;

bool isQuiet(double before, double after, double tolerance) {
  return std::abs(before - after) < tolerance * std::abs(before) || (tolerance > 0 && before == after);
}

}  // namespace

Training::Training(std::unique_ptr<algorithms::Algorithm> algorithm, std::int64_t chunks, StopRule stop)
    : algorithm_(std::move(algorithm)),
      stop_(stop),
      partials_(static_cast<std::size_t>(chunks)),
      missing_(chunks) {}

Training::Step Training::accept(std::int64_t chunk, data::Vector partial) {
  partials_[static_cast<std::size_t>(chunk)] = std::move(partial);
  if (--missing_ > 0) return Step::Chunk;
  const algorithms::Outcome outcome = fold();
  judge(outcome);
  return outcome.loss ? Step::Iteration : Step::Trial;
}

// Sums of floating point depend on the order: it is the chunks', never that of their arrival.
algorithms::Outcome Training::fold() {
  data::Vector total = data::Vector::Zero(partialSize());
  for (data::Vector& partial : partials_) total += std::exchange(partial, data::Vector());
  missing_ = chunks();
  ++round_;
  return algorithm_->fold(total);
}

void Training::judge(const algorithms::Outcome& outcome) {
  if (outcome.loss) {
    const Progress next{progress_ ? progress_->iteration + 1 : 0, *outcome.loss};
    const bool quiet = progress_ && isQuiet(progress_->loss, next.loss, stop_.tolerance);
    quietIterations_ = quiet ? quietIterations_ + 1 : 0;
    if (!progress_) initialLoss_ = next.loss;
    progress_ = next;
  }
  settled_ = outcome.settled;
  ending_ = endingNow();
}

Ending Training::endingNow() const {
  if (progress_ && !std::isfinite(progress_->loss)) return Ending::Diverged;
  if (settled_ || quietIterations_ >= kQuietIterations) return Ending::Converged;
  if (progress_ && progress_->iteration >= stop_.iterations) return Ending::Exhausted;
  return Ending::None;
}

void Training::archive(io::Archive& fields) {
  bool begun = progress_.has_value();
  Progress progress = progress_.value_or(Progress());
  double tolerance = stop_.tolerance;
  fields("round", round_), fields("begun", begun), fields("iteration", progress.iteration);
  fields("loss", progress.loss), fields("initial loss", initialLoss_), fields("settled", settled_);
  fields("quiet iterations", quietIterations_), fields("tolerance", tolerance);
  algorithm_->archive(fields);
  if (!fields.reads()) return;
  if (begun) progress_ = progress;
  if (tolerance != stop_.tolerance) quietIterations_ = 0;  // they were quiet by another rule
  ending_ = endingNow();
}

}  // namespace slaq::trainer::training
