#include "trainer/training.h"

#include <cmath>
#include <utility>

namespace slaq::trainer {
namespace {

// One small step may be chance, five in a row are not.
constexpr int kQuietIterations = 5;

bool isQuiet(double before, double after, double tolerance) {
  return std::abs(before - after) < tolerance * std::abs(before) || (tolerance > 0 && before == after);
}

}  // namespace

Training::Training(std::unique_ptr<Algorithm> algorithm, std::int64_t chunks, StopRule stop)
    : algorithm_(std::move(algorithm)),
      stop_(stop),
      partials_(static_cast<std::size_t>(chunks)),
      missing_(chunks) {}

Training::Step Training::accept(std::int64_t chunk, Vector partial) {
  partials_[static_cast<std::size_t>(chunk)] = std::move(partial);
  if (--missing_ > 0) return Step::Chunk;
  const Outcome outcome = fold();
  judge(outcome);
  return outcome.loss ? Step::Iteration : Step::Trial;
}

// Sums of floating point depend on the order: it is the chunks', never that of their arrival.
Outcome Training::fold() {
  Vector total = Vector::Zero(partialSize());
  for (Vector& partial : partials_) total += std::exchange(partial, Vector());
  missing_ = chunks();
  ++round_;
  return algorithm_->fold(total);
}

void Training::judge(const Outcome& outcome) {
  if (outcome.loss) {
    const Progress next{progress_ ? progress_->iteration + 1 : 0, *outcome.loss};
    const bool quiet = progress_ && isQuiet(progress_->loss, next.loss, stop_.tolerance);
    quietIterations_ = quiet ? quietIterations_ + 1 : 0;
    progress_ = next;
  }
  if (outcome.loss && !std::isfinite(*outcome.loss)) {
    ending_ = Ending::Diverged;
  } else if (outcome.settled || quietIterations_ >= kQuietIterations) {
    ending_ = Ending::Converged;
  } else if (progress_ && progress_->iteration >= stop_.iterations) {
    ending_ = Ending::Exhausted;
  }
}

}  // namespace slaq::trainer
