// The one loop around epochs. The controller, `slaq run` and simulations all run it, each with its own clock
// and its own way to wait and to notice events.
#pragma once

#include "base/result.h"
#include "loop/epoch_timer.h"

namespace slaq::loop {

// The program around the epochs. One thread calls it.
class EpochHost {
 public:
  virtual ~EpochHost() = default;

  // The time on the timer's clock.
  virtual Seconds now() const = 0;
  // True if nothing is left to decide.
  virtual bool isOver() const = 0;
  // Runs one epoch. An error ends the run.
  virtual Result<void> runEpoch() = 0;
  // The time, past or future, of the first event that no epoch has seen.
  virtual std::optional<Seconds> pendingEvent() = 0;
  // Lets time pass, at most until `then`. True if a stop was requested meanwhile.
  virtual bool waitUntil(Seconds then) = 0;
  // Called between two waits, and before each epoch at least once, to notice events.
  virtual void lookForEvents() {}
  // Called after each epoch, before the next one is due.
  virtual void afterEpoch(EpochTimer&) {}
};

class EpochRunner {
 public:
  // The first epoch is due at once. The host outlives the runner. `leastBetween` as EpochTimer has it.
  EpochRunner(const scheduler::Settings& settings, EpochHost& host, std::optional<Seconds> leastBetween = {})
      : host_(host), timer_(settings, host.now(), leastBetween) {}

  // Runs epochs as they fall due, until the host is over or a stop is requested. True if a stop was
  // requested.
  Result<bool> run();

  const EpochTimer& timer() const { return timer_; }

 private:
  // True if a stop was requested meanwhile.
  bool waitForNext();

  EpochHost& host_;
  EpochTimer timer_;
};

}  // namespace slaq::loop
