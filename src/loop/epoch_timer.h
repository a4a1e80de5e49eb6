// The times at which epochs are due: once in each period and, under policies that decide on events, also
// early after an event. An event is the arrival of a job (cores buy most in new jobs), the completion of a
// job, freed cores for which another job waits, or, on one machine, the first iteration of a job. The
// published policies decide once in a period, as section 4 says. A plain value; any clock will do.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "scheduler/state/settings.h"

namespace slaq::loop {

class EpochTimer {
 public:
  // The first epoch is due at `begin`. `leastBetween` is the least time from an epoch to an early
  // one, a third of a period if it is not given.
  EpochTimer(const scheduler::Settings& settings, Seconds begin, std::optional<Seconds> leastBetween = {});

  // The time of the next epoch, which may be past. `event` is the time of the first event that no epoch has
  // seen. Events often come together, so the timer waits a moment to let one epoch decide about all of them.
  // An early epoch keeps the least time from the end of the one before. A regular one comes in any case.
  Seconds next(std::optional<Seconds> event) const;

  // True if events bring the next epoch forward. If not, the host need not look for them.
  bool decidesOnEvents() const { return early_; }

  // The time of the next epoch that is not an early one.
  Seconds regular() const { return phase_ + period_ * static_cast<double>(passed_); }

  // Notes that an epoch began at `begun` and ended at `now`. If another one fell due meanwhile, it follows at
  // once.
  void pass(Seconds begun, Seconds now);

  // Skips the regular epochs before `until`, because there is no job until then.
  void passOver(Seconds until);

 private:
  Seconds period_;
  Seconds leastBetween_;
  bool early_;
  Seconds phase_;
  std::int64_t passed_ = 0;  // regular epochs since phase_
  std::optional<Seconds> last_;
};

}  // namespace slaq::loop
