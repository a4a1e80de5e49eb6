// The one loop around epochs: the controller, `slaq run` and simulations all run it, each with its own clock
// and its own way of waiting and of noticing events.
#pragma once

#include "base/result.h"
#include "loop/epoch_timer.h"

namespace slaq::loop {

// The program around the epochs. One thread calls it.
class EpochHost {
 public:
  virtual ~EpochHost() = default;

  // On the clock of the timer.
  virtual Seconds now() const = 0;
  // Nothing is left to decide.
  virtual bool isOver() const = 0;
  // Runs one epoch. An error ends the run.
  virtual Result<void> runEpoch() = 0;
  // When the first event happened, or will, that no epoch has seen.
  virtual std::optional<Seconds> pendingEvent() = 0;
  // Lets time pass, at most until `then`. True if the run is told to stop meanwhile.
  virtual bool waitUntil(Seconds then) = 0;
  // Called between two waits, so that events are noticed.
  virtual void lookForEvents() {}
  // An epoch is over, and its successor is not yet due.
  virtual void afterEpoch(EpochTimer&) {}
};

class EpochRunner {
 public:
  // The first epoch is due at once. The host outlives the runner.
  EpochRunner(const scheduler::Settings& settings, EpochHost& host)
      : host_(host), timer_(settings, host.now()) {}

  // Runs epochs whenever they are due, until the host is over or told to stop. True if it was told to stop.
  Result<bool> run();

  const EpochTimer& timer() const { return timer_; }

 private:
  // True if it is told to stop meanwhile.
  bool waitForNext();

  EpochHost& host_;
  EpochTimer timer_;
};

}  // namespace slaq::loop
