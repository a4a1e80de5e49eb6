#include "simulate/training.h"

#include <algorithm>

namespace slaq {
namespace {

// What happens within so little of an instant happens at it, however its arithmetic rounds.
constexpr Seconds kInstant{1e-9};

}  // namespace

void Training::resize(Seconds now, Workers workers) {
  if (workers == desired_) return;
  now_ = now;
  if (!started()) {
    desired_ = ready_ = workers;
    return;
  }
  ++resizes_;
  if (workers > desired_) {
    readyAt_ = now + pauses_->grow;
    if (pauses_->blocks) stillUntil_ = std::max(stillUntil_, readyAt_);
  } else {
    stillUntil_ = std::max(stillUntil_, now + pauses_->shrink);
  }
  desired_ = workers;
  ready_ = readyAt_ <= now ? workers : std::min(ready_, workers);
}

void Training::advance(Seconds until, const std::function<void(Seconds)>& finished) {
  while (now_ < until && !over()) {
    if (now_ >= readyAt_) ready_ = desired_;
    if (now_ < stillUntil_) {
      now_ = std::min(until, stillUntil_);
    } else {
      work(now_ < readyAt_ ? std::min(until, readyAt_) : until, finished);
    }
  }
  now_ = std::max(now_, until);
  if (now_ >= readyAt_) ready_ = desired_;
}

// REQUIRES: the workers stay as they are until then.
void Training::work(Seconds until, const std::function<void(Seconds)>& finished) {
  const double cores = ready_.value();
  while (cores > 0 && !over()) {
    const double missing = job_->coreSecondsPerIteration - done_;
    const Seconds end = now_ + Seconds(missing / cores);
    if (end > until + kInstant) break;
    coreSeconds_ += missing;
    done_ = 0;
    now_ = std::min(end, until);
    ++iteration_;
    finished(now_);
  }
  if (over()) return;
  const double work = cores * (until - now_).count();
  done_ += work;
  coreSeconds_ += work;
  now_ = until;
}

double Training::position() const {
  return static_cast<double>(iteration_) + std::min(1.0, done_ / job_->coreSecondsPerIteration);
}

}  // namespace slaq
