#include "loop/epoch_runner.h"

namespace slaq::loop {

Result<bool> EpochRunner::run() {
  while (!host_.isOver()) {
    if (waitForNext()) return true;
    if (host_.isOver()) break;
    const Seconds begun = host_.now();
    if (auto done = host_.runEpoch(); !done) return failure(done.error());
    timer_.pass(begun, host_.now());
    host_.afterEpoch(timer_);
  }
  return false;
}

// Returns as soon as an epoch is due, without another call of pendingEvent(): in virtual time an event that
// has happened is no longer listed.
bool EpochRunner::waitForNext() {
  host_.lookForEvents();
  while (!host_.isOver()) {
    const Seconds due = timer_.next(host_.pendingEvent());
    if (host_.now() >= due) return false;
    if (host_.waitUntil(due)) return true;
    if (host_.now() >= due) return false;
    host_.lookForEvents();
  }
  return false;
}

}  // namespace slaq::loop
