#include "simulate/run/training.h"

#include <algorithm>

namespace slaq::simulate {
namespace {

// An event this close to an instant counts as happening at it, however the arithmetic rounds.
constexpr Seconds kInstant{1e-9};

}  // namespace

void Training::resize(Seconds now, Workers workers) {
  if (workers == desired_) return;
  now_ = now;
  if (!started()) {
    desired_ = working_ = ready_ = workers;
    stillUntil_ = now + job_->start;
    if (!begun_) warmUp_ = job_->startCoreSeconds;
    noteBegin();
    return;
  }
  ++resizes_;
  fallBack();
  ready_ = ready();
  if (workers > desired_) {
    workingAt_ = now + job_->pauses.grow;
    readyAt_ = now + job_->pauses.ready.value_or(job_->pauses.grow);
    if (job_->pauses.blocks) stillUntil_ = std::max(stillUntil_, workingAt_);
  } else {
    stillUntil_ = std::max(stillUntil_, now + job_->pauses.shrink);
    leaving_ = leaving() + desired_ - workers;
    goneAt_ = now + job_->pauses.release;
  }
  desired_ = workers;
  working_ = workingAt_ <= now ? workers : std::min(working_, workers);
  ready_ = std::min(ready_, workers);
}

Seconds Training::nextCheckpoint() const {
  const auto& every = job_->pauses.checkpoint;
  return every ? std::max(checkpointAt_, stillUntil_) + *every : Seconds::max();
}

void Training::makeCheckpoint() {
  checkpoint_ = position();
  checkpointAt_ = now_;
}

void Training::fallBack() {
  if (!job_->pauses.checkpoint) return;
  iteration_ = static_cast<std::size_t>(checkpoint_);
  done_ = checkpoint_ - static_cast<double>(iteration_);
  checkpointAt_ = now_;
}

void Training::advance(Seconds until, const std::function<void(Seconds)>& finished) {
  while (now_ < until && !over()) {
    if (now_ >= workingAt_) working_ = desired_;
    if (now_ < stillUntil_) {
      now_ = std::min(until, stillUntil_);
    } else {
      const Seconds next = std::min(until, nextCheckpoint());
      work(now_ < workingAt_ ? std::min(next, workingAt_) : next, finished);
      if (now_ >= nextCheckpoint()) makeCheckpoint();
    }
    noteBegin();
  }
  now_ = std::max(now_, until);
  if (now_ >= workingAt_) working_ = desired_;
}

void Training::noteBegin() { begun_ |= working_ > Workers(0) && now_ >= stillUntil_ && warmUp_ <= 0; }

void Training::warmUp(Seconds until) {
  const double cores = working_.value();
  if (warmUp_ <= 0 || cores <= 0) return;
  const Seconds span = std::min(until - now_, Seconds(warmUp_ / cores));
  warmUp_ = now_ + span < until ? 0 : warmUp_ - cores * span.count();
  coreSeconds_ += cores * span.count();
  now_ += span;
}

// REQUIRES: the workers do not change before `until`.
void Training::work(Seconds until, const std::function<void(Seconds)>& finished) {
  warmUp(until);
  const double cores = working_.value();
  if (working_ > Workers(0)) {
    const Seconds each = iterationSeconds();
    for (Seconds end = now_ + each * (1 - done_); end <= until + kInstant && !over(); end = now_ + each) {
      coreSeconds_ += cores * (end - now_).count();
      done_ = 0;
      now_ = std::min(end, until);
      ++iteration_;
      finished(now_);
    }
    if (over()) return;
    done_ += (until - now_) / each;
    coreSeconds_ += cores * (until - now_).count();
  }
  now_ = until;
}

Workers Training::ready() const { return now_ < readyAt_ ? ready_ : desired_; }

Workers Training::leaving() const { return now_ < goneAt_ ? leaving_ : Workers(0); }

std::optional<Seconds> Training::release() const {
  return leaving() > Workers(0) ? std::optional(goneAt_) : std::nullopt;
}

Seconds Training::iterationSeconds() const { return Seconds(1 / speedOf(*job_).at(working_.value())); }

double Training::position() const { return static_cast<double>(iteration_) + std::min(1.0, done_); }

}  // namespace slaq::simulate
