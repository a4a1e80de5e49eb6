// When epochs are: one in each period, and under look-ahead an early one at news: jobs have arrived, and a
// new job is where cores buy most; a job has completed; or cores have come free for which another one waits.
// The published policies decide once a period, as section 4 has it. A plain value, on whatever clock.
#pragma once

#include <cstdint>
#include <optional>

#include "base/units.h"
#include "scheduler/state/settings.h"

namespace slaq {

class Timetable {
 public:
  // The first epoch is at `begin`.
  Timetable(const Settings& settings, Seconds begin);

  // When the next epoch is; it may be past. `news` is when the first came that no epoch has seen. News often
  // come together: they are given a moment to be decided about together, and a stream of them brings three
  // epochs in a period at most.
  Seconds next(std::optional<Seconds> news) const;

  // Whether news bring the next epoch forward: else nobody need look for them.
  bool heedsNews() const { return early_; }

  // The next epoch that is not an early one.
  Seconds regular() const { return phase_ + period_ * static_cast<double>(passed_); }

  // An epoch began and was over at `now`. What fell due meanwhile follows at once.
  void pass(Seconds begun, Seconds now);

  // No job is there until then: the regular epochs before it are left out.
  void passOver(Seconds until);

 private:
  Seconds period_;
  bool early_;
  Seconds phase_;
  std::int64_t passed_ = 0;  // regular epochs since phase_
  std::optional<Seconds> last_;
};

}  // namespace slaq
