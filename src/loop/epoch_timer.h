// When epochs are due: one in each period and, under policies that decide on events, an early one for an
// event: a job has arrived, and a new job is where cores buy most; a job has completed; or cores have come
// free for which another job waits. The published policies decide once a period, as section 4 has it. A plain
// value, on whatever clock.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "scheduler/state/settings.h"

namespace slaq::loop {

class EpochTimer {
 public:
  // The first epoch is at `begin`.
  EpochTimer(const scheduler::Settings& settings, Seconds begin);

  // When the next epoch is due; it may be past. `event` is when the first event happened that no epoch has
  // seen. Events often come together: they are given a moment to be decided about together, and a stream of
  // them brings three epochs in a period at most.
  Seconds next(std::optional<Seconds> event) const;

  // Whether events bring the next epoch forward: otherwise nobody needs to look for them.
  bool decidesOnEvents() const { return early_; }

  // The next epoch that is not an early one.
  Seconds regular() const { return phase_ + period_ * static_cast<double>(passed_); }

  // An epoch began, and was over at `now`. One that fell due meanwhile follows at once.
  void pass(Seconds begun, Seconds now);

  // There is no job until then: the regular epochs before it are left out.
  void passOver(Seconds until);

 private:
  Seconds period_;
  bool early_;
  Seconds phase_;
  std::int64_t passed_ = 0;  // regular epochs since phase_
  std::optional<Seconds> last_;
};

}  // namespace slaq::loop
